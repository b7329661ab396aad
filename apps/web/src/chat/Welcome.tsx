import { useStrings } from "../strings";

type Props = { temporary: boolean; onSend: (text: string) => void };

/** Introduction and example messages for an empty thread. */
export function Welcome({ temporary, onSend }: Props) {
  const { temporary: banner, welcome: strings } = useStrings().chat;
  const examples = [strings.about, strings.question, strings.remembered];
  if (temporary) {
    return (
      <div className="welcome">
        <h1>{banner.welcome}</h1>
        <p>{banner.welcomeText}</p>
      </div>
    );
  }
  return (
    <div className="welcome">
      <h1>{strings.title}</h1>
      <p>{strings.text}</p>
      <ul className="welcome-examples" aria-label={strings.examples}>
        {examples.map((example) => (
          <li key={example}>
            <button type="button" className="welcome-example" onClick={() => onSend(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
