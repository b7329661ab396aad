import type { Api, RunOptions } from "../api/client";
import type { Config, ListedThread } from "../api/types";
import type { Chat } from "../chat/chat";
import { Thread } from "../chat/Thread";
import type { Drafts } from "../drafts/drafts";
import { useStrings, type Strings } from "../strings";
import { threadTitle } from "../threads/threads";
import { TopBar } from "./TopBar";
import type { ActiveThread } from "./useActiveThread";
import type { Layout } from "./useLayout";

type Props = {
  api: Api;
  config: Config;
  drafts: Drafts;
  active: ActiveThread;
  listed: ListedThread | undefined;
  layout: Layout;
  options: RunOptions;
  onOptionsChange: (options: RunOptions) => void;
  onDelete: () => void;
  onMemoryChange: () => void;
};

/** The thread of the current address, with its title. */
export function ChatView({ api, config, active, listed, layout, options, ...props }: Props) {
  const strings = useStrings();
  const { thread, isNew, chat } = active;
  return (
    <>
      <TopBar title={chatTitle(strings, listed, isNew, chat)} layout={layout} />
      <Thread
        key={thread}
        drafts={props.drafts}
        draftKey={isNew ? "new" : thread}
        chat={chat}
        config={config}
        options={options}
        onOptionsChange={props.onOptionsChange}
        onSend={(text) => active.send(text, options)}
        onRetry={() => active.retry(options)}
        onResend={active.resend}
        onWithdraw={active.withdraw}
        onReload={active.reload}
        onStop={active.stop}
        onDelete={props.onDelete}
        onUndo={(forgotten) => api.memories.undo(forgotten).then(props.onMemoryChange)}
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
