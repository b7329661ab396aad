import { useState, type FormEvent, type ReactNode } from "react";
import type { Problem } from "../api/problem";
import { Notice } from "../ui/Notice";
import { Wordmark } from "../ui/Wordmark";
import "./session.css";

type Props = { reason: string; problem: Problem | null; children: ReactNode };

/** The page before anybody is known; `children` is the way in. */
export function SignIn({ reason, problem, children }: Props) {
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1>
          <Wordmark />
        </h1>
        <p className="sign-in-lead">A chat assistant that remembers you.</p>
        {reason !== "" && (
          <p className="sign-in-reason" role="status" data-testid="sign-in-reason">
            {reason}
          </p>
        )}
        {problem && <Notice problem={problem} />}
        {children}
      </div>
    </main>
  );
}

export function NameForm({ onName }: { onName: (name: string) => Promise<void> }) {
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await onName(name.trim());
    setBusy(false);
  };
  return (
    <form className="sign-in-form" onSubmit={(event) => void submit(event)}>
      <label htmlFor="name">Your name</label>
      <input
        id="name"
        className="field"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <button className="button button-main" disabled={busy || name.trim() === ""}>
        Sign in
      </button>
      <p className="sign-in-note">
        A local sign-in for trying things out: whoever knows the name gets in.
      </p>
    </form>
  );
}
