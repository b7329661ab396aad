const EXAMPLES = [
  "For future chats: I live in London, my nickname is RS, and I like concise bullet answers.",
  "Where do I live and what’s my nickname?",
  "What do you remember about me?",
];

/** What an empty thread shows: what Keepsake is for, and something to try. */
export function Welcome({ onExample }: { onExample: (text: string) => void }) {
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
