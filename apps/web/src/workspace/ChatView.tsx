import { useCallback } from "react";
import type { Api, MemoryFilter, RunOptions } from "../api/client";
import type { Config, ListedThread, MemoryChange, MessageId } from "../api/types";
import type { Chat } from "../chat/chat";
import { Welcome } from "../chat/Welcome";
import { Thread } from "../chat/Thread";
import type { Drafts } from "../drafts/drafts";
import type { Session } from "../session/session";
import { useToast } from "../ui/toast";
import { useQuery } from "../ui/useQuery";
import { useStrings, type Strings } from "../strings";
import { threadTitle } from "../threads/threads";
import { TopBar } from "./TopBar";
import type { ActiveThread } from "./useActiveThread";
import type { Layout } from "./useLayout";

const FACTS: MemoryFilter = { kind: "user", query: "" };

type Props = {
  api: Api;
  config: Config;
  session: Session;
  drafts: Drafts;
  active: ActiveThread;
  listed: ListedThread | undefined;
  layout: Layout;
  options: RunOptions;
  onOptionsChange: (options: RunOptions) => void;
  onDelete: () => void;
  memoryChanges: readonly MemoryChange[];
  memoryVersion: number;
  onMemoryChange: () => void;
};

/** The thread of the current address, with its title. */
export function ChatView({ api, config, active, listed, layout, options, ...props }: Props) {
  const strings = useStrings();
  const toast = useToast();
  const { thread, isNew, chat } = active;
  const send = (text: string) => active.send(text, options);
  const branch = (before: MessageId, text: string, model: string | null) =>
    active
      .branch(before, text, model === null ? options : { ...options, model })
      .catch(() => toast({ text: strings.branches.failed }));
  const load = useCallback(
    async (signal: AbortSignal) =>
      isNew ? (await api.memories.list(FACTS, null, signal)).items : [],
    [api, isNew],
  );
  const { data: facts } = useQuery(load, thread);
  return (
    <>
      <TopBar title={chatTitle(strings, listed, isNew, chat)} layout={layout} />
      <Thread
        key={thread}
        api={api}
        thread={thread}
        memoryChanges={props.memoryChanges}
        memoryVersion={props.memoryVersion}
        onMemoryChange={props.onMemoryChange}
        drafts={props.drafts}
        draftKey={isNew ? "new" : thread}
        chat={chat}
        config={config}
        options={options}
        onOptionsChange={props.onOptionsChange}
        onSend={send}
        onBranch={branch}
        onRate={active.rate}
        welcome={
          <Welcome
            name={props.session.name}
            facts={isNew ? facts : []}
            temporary={chat.temporary}
            onSend={send}
          />
        }
        onRetry={() => active.retry(options)}
        onResend={active.resend}
        onWithdraw={active.withdraw}
        onReload={active.reload}
        onStop={active.stop}
        onDelete={props.onDelete}
      />
    </>
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
