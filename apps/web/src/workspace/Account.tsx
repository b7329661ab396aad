import type { Config } from "../api/types";
import type { Session } from "../session/session";
import { useStrings } from "../strings";
import { SignOutIcon } from "../ui/icons";

export function Account({ session, config }: { session: Session; config: Config }) {
  const strings = useStrings();
  return (
    <footer className="account">
      <p className="account-details">
        <span className="account-name" data-testid="user">
          {session.user}
        </span>
        <span className="account-version">
          {strings.app.name} {config.version}
        </span>
      </p>
      <button
        type="button"
        className="button-icon"
        aria-label={strings.session.signOut}
        onClick={session.signOut}
      >
        <SignOutIcon />
      </button>
    </footer>
  );
}
