import { useState, type FormEvent, type ReactNode } from "react";
import type { Problem } from "../api/types";
import { Notice } from "../ui/Notice";
import { Wordmark } from "../ui/Wordmark";
import "./session.css";

type Props = {
  /** Why the user has to sign in again; empty on the first visit. */
  message: string;
  problem: Problem | null;
  children: ReactNode;
};

export function SignIn({ message, problem, children }: Props) {
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1>
          <Wordmark />
        </h1>
        <p className="sign-in-lead">A chat assistant that remembers you.</p>
        {message !== "" && (
          <p className="sign-in-message" role="status" data-testid="sign-in-reason">
            {message}
          </p>
        )}
        {problem && <Notice problem={problem} />}
        {children}
      </div>
    </main>
  );
}

export function NameForm({ onSubmit }: { onSubmit: (name: string) => Promise<void> }) {
  const [name, setName] = useState("");
  const [submitting, setSubmitting] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSubmitting(true);
    await onSubmit(name.trim());
    setSubmitting(false);
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
      <button className="button button-primary" disabled={submitting || name.trim() === ""}>
        Sign in
      </button>
      <p className="sign-in-note">
        For local use only: there is no password, so anyone with access to this page can sign in
        under this name.
      </p>
    </form>
  );
}
