import type { Config, ThreadId } from "../api/types";
import type { Session } from "../session/session";
import { useStrings } from "../strings";
import { ThreadList } from "../threads/ThreadList";
import type { ThreadListState } from "../threads/useThreads";
import { Account } from "./Account";
import { Sidebar } from "./Sidebar";
import { SidebarHeader } from "./SidebarHeader";
import type { Layout } from "./useLayout";

type Props = {
  config: Config;
  session: Session;
  list: ThreadListState;
  current: ThreadId;
  layout: Layout;
  onRemove: (thread: ThreadId, forget: boolean) => void;
};

export function ThreadsSidebar({ config, session, list, current, layout, onRemove }: Props) {
  const strings = useStrings();
  const { docked, close } = layout.threads;
  return (
    <Sidebar label={strings.workspace.threads} side="start" docked={docked} onClose={close}>
      <SidebarHeader onClose={docked ? null : close} />
      <ThreadList
        list={list}
        current={current}
        onNavigate={layout.closeDrawers}
        onRemove={onRemove}
      />
      <Account session={session} config={config} onNavigate={layout.closeDrawers} />
    </Sidebar>
  );
}
