import { useState, type FormEvent, type ReactNode } from "react";
import type { Problem } from "../api/types";
import { useStrings } from "../strings";
import { Notice } from "../ui/Notice";
import { Wordmark } from "../ui/Wordmark";
import "./session.css";

type Props = {
  /** True if the user has to sign in again because the session has expired. */
  expired: boolean;
  problem: Problem | null;
  children: ReactNode;
};

export function SignIn({ expired, problem, children }: Props) {
  const strings = useStrings();
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1>
          <Wordmark />
        </h1>
        <p className="sign-in-lead">{strings.app.lead}</p>
        {expired && (
          <p className="sign-in-message" role="status" data-testid="sign-in-reason">
            {strings.session.expired}
          </p>
        )}
        {problem && <Notice problem={problem} />}
        {children}
      </div>
    </main>
  );
}

export function NameForm({ onSubmit }: { onSubmit: (name: string) => Promise<void> }) {
  const strings = useStrings();
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
      <label htmlFor="name">{strings.session.name}</label>
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
        {strings.session.signIn}
      </button>
      <p className="sign-in-note">{strings.session.localOnly}</p>
    </form>
  );
}
