import { useMemo, useState } from "react";
import { createApi, type Api, type RunOptions } from "../api/client";
import type { Config, ListedThread, ThreadId } from "../api/types";
import type { Chat } from "../chat/chat";
import { Thread } from "../chat/Thread";
import { createDrafts, removeUnsent } from "../drafts/drafts";
import { MemoryPanel } from "../memories/MemoryPanel";
import type { Session } from "../session/session";
import { ThreadList } from "../threads/ThreadList";
import { threadTitle } from "../threads/threads";
import { useThreads } from "../threads/useThreads";
import { useStrings, type Strings } from "../strings";
import { Account } from "./Account";
import { Sidebar } from "./Sidebar";
import { SidebarHeader } from "./SidebarHeader";
import { TopBar } from "./TopBar";
import { useActiveThread } from "./useActiveThread";
import { useLayout, type Layout } from "./useLayout";
import { useMemoryVersion } from "./useMemoryVersion";
import { useTimeZone } from "./useTimeZone";
import "./workspace.css";

type Props = { config: Config; session: Session };

/** The page of a signed-in user: thread list, chat and memory panel. */
export default function Workspace({ config, session }: Props) {
  const strings = useStrings();
  const api = useMemo(() => createApi({ ...session, fetch: window.fetch.bind(window) }), [session]);
  const drafts = useMemo(() => createDrafts(localStorage, session.user), [session.user]);
  const signOut = () => {
    removeUnsent(localStorage, session.user);
    session.signOut();
  };
  const layout = useLayout();
  const [options, setOptions] = useState<RunOptions>({
    model: config.models[0],
    web_search: false,
  });
  useTimeZone(api);
  const list = useThreads(api);
  const memory = useMemoryVersion();
  const active = useActiveThread(api, session.user, {
    onSend: list.moveToTop,
    onEvent: ({ event, data }) => {
      if (event === "memory.scheduled") memory.incrementAfter(data.due_at);
    },
    onEnd: () => {
      list.refreshAfterRun();
      memory.increment();
    },
  });
  const { thread, isNew, chat } = active;

  const listed = list.threads.items.find((item) => item.thread_id === thread);
  const remove = async (removed: ThreadId, forget: boolean) => {
    if (!(await list.remove(removed, forget))) return;
    if (forget) memory.increment();
    if (removed === thread) active.openNewThread();
  };

  return (
    <div className="workspace">
      {layout.threads.visible && (
        <Sidebar
          label={strings.workspace.threads}
          side="start"
          docked={layout.threads.docked}
          onClose={layout.threads.close}
        >
          <SidebarHeader onClose={layout.threads.docked ? null : layout.threads.close} />
          <ThreadList
            threads={list.threads}
            current={thread}
            onNavigate={layout.closeDrawers}
            onSearch={list.search}
            onShowMore={() => void list.showMore()}
            onRename={(renamed, title) => void list.rename(renamed, title)}
            onRemove={(removed, forget) => void remove(removed, forget)}
            onDismissProblem={list.dismissProblem}
          />
          <Account session={{ ...session, signOut }} config={config} />
        </Sidebar>
      )}
      <main className="workspace-main">
        <TopBar
          title={chatTitle(strings, listed, isNew, chat)}
          onOpenThreads={layout.threads.docked ? null : layout.threads.open}
          memoryOpen={layout.memory.visible}
          onToggleMemory={layout.memory.toggle}
        />
        <Thread
          key={thread}
          drafts={drafts}
          draftKey={isNew ? "new" : thread}
          chat={chat}
          config={config}
          options={options}
          onOptionsChange={setOptions}
          onSend={(text) => active.send(text, options)}
          onRetry={() => active.retry(options)}
          onResend={active.resend}
          onWithdraw={active.withdraw}
          onReload={active.reload}
          onStop={active.stop}
          onDelete={() => void remove(thread, false)}
          onUndo={(forgotten) => api.memories.undo(forgotten).then(memory.increment)}
        />
      </main>
      {layout.memory.visible && (
        <MemorySidebar api={api} version={memory.version} layout={layout} />
      )}
    </div>
  );
}

type MemoryProps = { api: Api; version: number; layout: Layout };

function MemorySidebar({ api, version, layout: { memory, closeDrawers } }: MemoryProps) {
  const strings = useStrings();
  return (
    <Sidebar
      label={strings.workspace.memory}
      side="end"
      docked={memory.docked}
      onClose={memory.close}
    >
      <MemoryPanel api={api} version={version} onNavigate={closeDrawers} onClose={memory.close} />
    </Sidebar>
  );
}

/** A thread on a list page that is not loaded is titled by its first message. */
function chatTitle(
  { threads, workspace }: Strings,
  listed: ListedThread | undefined,
  isNew: boolean,
  chat: Chat,
): string {
  if (chat.temporary) return workspace.temporaryChat;
  return listed !== undefined || isNew
    ? threadTitle(listed, threads.newThread)
    : (chat.messages[0]?.text ?? "");
}
