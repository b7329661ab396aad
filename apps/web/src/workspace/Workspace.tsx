import { useMemo, useState } from "react";
import { createApi } from "../api/client";
import type { Config, Thread as ListedThread, ThreadId } from "../api/types";
import type { Chat } from "../chat/chat";
import { Thread } from "../chat/Thread";
import { MemoryPanel } from "../memories/MemoryPanel";
import type { Session } from "../session/session";
import { ThreadList } from "../threads/ThreadList";
import { titleOf } from "../threads/threads";
import { useThreads } from "../threads/useThreads";
import { useMediaQuery } from "../ui/useMediaQuery";
import { Account } from "./Account";
import { Side } from "./Side";
import { SideHead } from "./SideHead";
import { TopBar } from "./TopBar";
import { useOpenThread } from "./useOpenThread";
import { useVersion } from "./useVersion";
import "./workspace.css";

type Props = { config: Config; session: Session };

/** Everything that a signed-in user sees: threads, the open one, and their memory. */
export default function Workspace({ config, session }: Props) {
  const api = useMemo(() => createApi({ ...session, fetch: window.fetch.bind(window) }), [session]);
  const [threadsOpen, setThreadsOpen] = useState(false);
  const [memoryOpen, setMemoryOpen] = useState(false);
  const [model, setModel] = useState(config.models[0]);
  const threadsFit = useMediaQuery("(min-width: 56rem)");
  const memoryFits = useMediaQuery("(min-width: 76rem)");

  const list = useThreads(api);
  const memory = useVersion();
  const { thread, isNew, chat, leave, ...act } = useOpenThread(api, {
    onStart: list.begin,
    onEvent: (event) => {
      if (event.name === "memory.scheduled") memory.bumpAt(event.due_at);
    },
    onEnd: () => {
      void list.refresh();
      memory.bump();
    },
  });

  const title = heading(
    list.threads.items.find((item) => item.thread_id === thread),
    isNew,
    chat,
  );
  const remove = async (gone: ThreadId, forget: boolean) => {
    if (!(await list.remove(gone, forget))) return;
    if (forget) memory.bump();
    if (gone === thread) leave();
  };
  const visit = () => {
    setThreadsOpen(false);
    if (!memoryFits) setMemoryOpen(false);
  };

  return (
    <div className="workspace">
      {(threadsFit || threadsOpen) && (
        <Side label="Threads" side="left" column={threadsFit} onClose={() => setThreadsOpen(false)}>
          <SideHead onClose={threadsFit ? null : () => setThreadsOpen(false)} />
          <ThreadList
            threads={list.threads}
            open={thread}
            onOpen={visit}
            onShowMore={() => void list.showMore()}
            onRename={(which, name) => void list.rename(which, name)}
            onRemove={(gone, forget) => void remove(gone, forget)}
            onDismiss={list.dismiss}
          />
          <Account session={session} config={config} />
        </Side>
      )}
      <main className="workspace-main">
        <TopBar
          title={title}
          onThreads={threadsFit ? null : () => setThreadsOpen(true)}
          memoryOpen={memoryOpen}
          onMemory={() => setMemoryOpen(!memoryOpen)}
        />
        <Thread
          key={thread}
          chat={chat}
          models={config.models}
          model={model}
          offline={config.offline}
          onModel={setModel}
          onAsk={(text) => act.ask(text, model)}
          onRetry={() => act.retry(model)}
          onReload={act.reload}
          onStop={act.stop}
        />
      </main>
      {memoryOpen && (
        <Side label="Memory" side="right" column={memoryFits} onClose={() => setMemoryOpen(false)}>
          <MemoryPanel
            api={api}
            version={memory.version}
            onVisit={visit}
            onClose={() => setMemoryOpen(false)}
          />
        </Side>
      )}
    </div>
  );
}

/** A thread too old to be in the list is called by its first words. */
function heading(listed: ListedThread | undefined, isNew: boolean, chat: Chat): string {
  return listed !== undefined || isNew ? titleOf(listed) : (chat.messages[0]?.text ?? "");
}
