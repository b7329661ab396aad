import { useMemo, useState } from "react";
import { createApi, type RunOptions } from "../api/client";
import type { Config, ListedThread, ThreadId } from "../api/types";
import type { Chat } from "../chat/chat";
import { Thread } from "../chat/Thread";
import { MemoryPanel } from "../memories/MemoryPanel";
import type { Session } from "../session/session";
import { ThreadList } from "../threads/ThreadList";
import { threadTitle } from "../threads/threads";
import { useThreads } from "../threads/useThreads";
import { useMediaQuery } from "../ui/useMediaQuery";
import { Account } from "./Account";
import { Sidebar } from "./Sidebar";
import { SidebarHeader } from "./SidebarHeader";
import { TopBar } from "./TopBar";
import { useActiveThread } from "./useActiveThread";
import { useMemoryVersion } from "./useMemoryVersion";
import { useTimeZone } from "./useTimeZone";
import "./workspace.css";

type Props = { config: Config; session: Session };

/** The page of a signed-in user: thread list, chat and memory panel. */
export default function Workspace({ config, session }: Props) {
  const api = useMemo(() => createApi({ ...session, fetch: window.fetch.bind(window) }), [session]);
  const [threadsOpen, setThreadsOpen] = useState(false);
  const [memoryOpen, setMemoryOpen] = useState(false);
  const [options, setOptions] = useState<RunOptions>({
    model: config.models[0],
    web_search: false,
  });
  const threadsDocked = useMediaQuery("(min-width: 56rem)");
  const memoryDocked = useMediaQuery("(min-width: 76rem)");
  useTimeZone(api);
  const list = useThreads(api);
  const memory = useMemoryVersion();
  const active = useActiveThread(api, {
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
  const closeDrawers = () => {
    setThreadsOpen(false);
    if (!memoryDocked) setMemoryOpen(false);
  };
  const closeThreads = () => setThreadsOpen(false);
  const closeMemory = () => setMemoryOpen(false);

  return (
    <div className="workspace">
      {(threadsDocked || threadsOpen) && (
        <Sidebar label="Threads" side="left" docked={threadsDocked} onClose={closeThreads}>
          <SidebarHeader onClose={threadsDocked ? null : closeThreads} />
          <ThreadList
            threads={list.threads}
            current={thread}
            onNavigate={closeDrawers}
            onSearch={list.search}
            onShowMore={() => void list.showMore()}
            onRename={(renamed, title) => void list.rename(renamed, title)}
            onRemove={(removed, forget) => void remove(removed, forget)}
            onDismissProblem={list.dismissProblem}
          />
          <Account session={session} config={config} />
        </Sidebar>
      )}
      <main className="workspace-main">
        <TopBar
          title={chatTitle(listed, isNew, chat)}
          onOpenThreads={threadsDocked ? null : () => setThreadsOpen(true)}
          memoryOpen={memoryOpen}
          onToggleMemory={() => setMemoryOpen(!memoryOpen)}
        />
        <Thread
          key={thread}
          chat={chat}
          config={config}
          options={options}
          onOptionsChange={setOptions}
          onSend={(text) => active.send(text, options)}
          onRetry={() => active.retry(options)}
          onReload={active.reload}
          onStop={active.stop}
          onDelete={() => void remove(thread, false)}
          onUndo={(forgotten) => api.memories.undo(forgotten).then(memory.increment)}
        />
      </main>
      {memoryOpen && (
        <Sidebar label="Memory" side="right" docked={memoryDocked} onClose={closeMemory}>
          <MemoryPanel
            api={api}
            version={memory.version}
            onNavigate={closeDrawers}
            onClose={closeMemory}
          />
        </Sidebar>
      )}
    </div>
  );
}

/** A thread on a list page that is not loaded is titled by its first message. */
function chatTitle(listed: ListedThread | undefined, isNew: boolean, chat: Chat): string {
  if (chat.temporary) return "Temporary chat";
  return listed !== undefined || isNew ? threadTitle(listed) : (chat.messages[0]?.text ?? "");
}
