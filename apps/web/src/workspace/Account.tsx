import type { Config } from "../api/types";
import type { Session } from "../session/session";
import { LeaveIcon } from "../ui/icons";

export function Account({ session, config }: { session: Session; config: Config }) {
  return (
    <footer className="account">
      <p className="account-who">
        <span className="account-name" data-testid="user">
          {session.user}
        </span>
        <span className="account-version">Keepsake {config.version}</span>
      </p>
      <button type="button" className="button-icon" aria-label="Sign out" onClick={session.signOut}>
        <LeaveIcon />
      </button>
    </footer>
  );
}
