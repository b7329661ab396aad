import type { Config } from "../api/types";
import type { Session } from "../session/session";
import { SignOutIcon } from "../ui/icons";

export function Account({ session, config }: { session: Session; config: Config }) {
  return (
    <footer className="account">
      <p className="account-details">
        <span className="account-name" data-testid="user">
          {session.user}
        </span>
        <span className="account-version">Keepsake {config.version}</span>
      </p>
      <button type="button" className="button-icon" aria-label="Sign out" onClick={session.signOut}>
        <SignOutIcon />
      </button>
    </footer>
  );
}
