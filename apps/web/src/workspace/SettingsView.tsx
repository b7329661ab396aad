import type { Api } from "../api/client";
import type { Config } from "../api/types";
import type { Session } from "../session/session";
import { SettingsPage } from "../settings/SettingsPage";
import { useStrings } from "../strings";
import { TopBar } from "./TopBar";
import type { Layout } from "./useLayout";

type Props = { api: Api; config: Config; session: Session; layout: Layout };

export default function SettingsView({ api, config, session, layout }: Props) {
  const { settings } = useStrings();
  return (
    <>
      <TopBar title={settings.title} layout={layout} />
      <SettingsPage api={api} config={config} onSignOut={session.signOut} />
    </>
  );
}
