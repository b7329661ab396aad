import { useState } from "react";
import { Link } from "wouter";
import type { Api } from "../api/client";
import type { Config } from "../api/types";
import { MEMORY_PATH } from "../routes";
import { useStrings } from "../strings";
import { BookmarkIcon } from "../ui/icons";
import { AppearanceSettings } from "./AppearanceSettings";
import { ClientSettings } from "./ClientSettings";
import { EraseAccount } from "./EraseAccount";
import "./settings.css";

type Props = { api: Api; config: Config; onSignOut: () => void };

export function SettingsPage({ api, config, onSignOut }: Props) {
  const { session, settings: strings } = useStrings();
  const [erasing, setErasing] = useState(false);
  return (
    <div className="settings">
      <div className="settings-content">
        <AppearanceSettings />
        <section aria-labelledby="settings-memory">
          <h2 id="settings-memory">{strings.memory}</h2>
          <Link className="button settings-link" href={MEMORY_PATH}>
            <BookmarkIcon />
            {strings.openMemoryPage}
          </Link>
        </section>
        <ClientSettings api={api} model={config.models[0] ?? ""} />
        <section aria-labelledby="settings-account">
          <h2 id="settings-account">{strings.account}</h2>
          <div className="settings-row">
            <p>{strings.signOutText}</p>
            <button type="button" className="button" onClick={onSignOut}>
              {session.signOut}
            </button>
          </div>
          <div className="settings-row">
            <p>{strings.eraseText}</p>
            <button type="button" className="button button-danger" onClick={() => setErasing(true)}>
              {strings.erase}
            </button>
          </div>
        </section>
      </div>
      {erasing && (
        <EraseAccount api={api} onClose={() => setErasing(false)} onSignOut={onSignOut} />
      )}
    </div>
  );
}
