import type { Memory } from "../api/types";
import { useStrings } from "../strings";
import { suggestMessages } from "./suggestions";

type Props = {
  name: string;
  /** What is known about the user, the newest first; null until it is loaded. */
  facts: readonly Memory[] | null;
  temporary: boolean;
  onSend: (text: string) => void;
};

/** A greeting and first messages for an empty thread. */
export function Welcome({ name, facts, temporary, onSend }: Props) {
  const { temporary: banner, welcome: strings } = useStrings().chat;
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
      <h1 dir="auto">{strings.title(name)}</h1>
      <p>{strings.text}</p>
      <ul className="welcome-examples" aria-label={strings.examples}>
        {facts !== null &&
          suggestMessages(strings, facts, new Date()).map((message) => (
            <li key={message}>
              <button
                type="button"
                className="welcome-example"
                dir="auto"
                onClick={() => onSend(message)}
              >
                {message}
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}
