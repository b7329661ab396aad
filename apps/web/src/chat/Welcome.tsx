const EXAMPLES = [
  "For future chats: I live in London, my nickname is RS, and I like concise bullet answers.",
  "Where do I live and what’s my nickname?",
  "What do you remember about me?",
];

type Props = { temporary: boolean; onSend: (text: string) => void };

/** Introduction and example messages for an empty thread. */
export function Welcome({ temporary, onSend }: Props) {
  if (temporary) {
    return (
      <div className="welcome">
        <h1>This chat will not be remembered</h1>
        <p>Keepsake knows nothing about you here and learns nothing from this chat.</p>
      </div>
    );
  }
  return (
    <div className="welcome">
      <h1>What would you like to talk about?</h1>
      <p>
        Keepsake remembers what you say about yourself and uses it in all your threads. Open Memory
        to see, edit or delete it.
      </p>
      <ul className="welcome-examples" aria-label="Examples">
        {EXAMPLES.map((example) => (
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
