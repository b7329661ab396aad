const EXAMPLES = [
  "For future chats: I live in London, my nickname is RS, and I like concise bullet answers.",
  "Where do I live and what’s my nickname?",
  "What do you remember about me?",
];

type Props = { temporary: boolean; onExample: (text: string) => void };

/** What an empty thread shows: what Keepsake is for, and something to try. */
export function Welcome({ temporary, onExample }: Props) {
  if (temporary) {
    return (
      <div className="welcome">
        <h1>Just between us, just for now</h1>
        <p>Keepsake does not know you in here, and takes nothing along.</p>
      </div>
    );
  }
  return (
    <div className="welcome">
      <h1>What shall we talk about?</h1>
      <p>
        Keepsake remembers what you tell it about yourself, across threads. You can see, correct and
        delete all of it under Memory.
      </p>
      <ul className="welcome-examples" aria-label="Things to try">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <button type="button" className="example" onClick={() => onExample(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
