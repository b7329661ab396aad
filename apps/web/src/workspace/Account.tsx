import { Link } from "wouter";
import type { Config } from "../api/types";
import { SETTINGS_PATH } from "../routes";
import type { Session } from "../session/session";
import { useStrings } from "../strings";
import { SettingsIcon, SignOutIcon } from "../ui/icons";

type Props = { session: Session; config: Config; onNavigate: () => void };

export function Account({ session, config, onNavigate }: Props) {
  const strings = useStrings();
  return (
    <footer className="account">
      <p className="account-details">
        <span className="account-name" data-testid="user" dir="auto">
          {session.name}
        </span>
        <span className="account-version">
          {strings.app.name} {config.version}
        </span>
      </p>
      <Link
        className="button-icon"
        href={SETTINGS_PATH}
        aria-label={strings.settings.title}
        title={strings.settings.title}
        onClick={onNavigate}
      >
        <SettingsIcon />
      </Link>
      <button
        type="button"
        className="button-icon"
        aria-label={strings.session.signOut}
        title={strings.session.signOut}
        onClick={session.signOut}
      >
        <SignOutIcon />
      </button>
    </footer>
  );
}
