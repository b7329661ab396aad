import { useMemo, useState } from "react";
import { createApi, type Choices } from "../api/client";
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
  const [choices, setChoices] = useState<Choices>({ model: config.models[0], web_search: false });
  const threadsFit = useMediaQuery("(min-width: 56rem)");
  const memoryFits = useMediaQuery("(min-width: 76rem)");

  const list = useThreads(api);
  const memory = useVersion();
  const { thread, isNew, chat, leave, ...act } = useOpenThread(api, {
    onSpeak: list.begin,
    onEvent: (event) => {
      if (event.name === "memory.scheduled") memory.bumpAt(event.due_at);
    },
    onEnd: () => {
      list.settle();
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
            onSearch={list.search}
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
          config={config}
          choices={choices}
          onChoose={setChoices}
          onAsk={(text) => act.ask(text, choices)}
          onRetry={() => act.retry(choices)}
          onReload={act.reload}
          onStop={act.stop}
          onEnd={() => void remove(thread, false)}
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
  if (chat.temporary) return "Temporary chat";
  return listed !== undefined || isNew ? titleOf(listed) : (chat.messages[0]?.text ?? "");
}
