import { AssistantRuntimeProvider } from "@assistant-ui/react";
import * as ThreadPrimitive from "@assistant-ui/react/primitives/thread";
import { useMemo, useState, type ReactNode } from "react";
import type { Api, RunOptions } from "../api/client";
import type { Config, MemoryChange, MemoryId, MessageId, Problem, ThreadId } from "../api/types";
import { useStrings } from "../strings";
import { DownIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { useModule } from "../ui/useModule";
import type { Drafts } from "../drafts/drafts";
import type { Chat, Outgoing } from "./chat";
import { useThreadRuntime } from "./useThreadRuntime";
import { MemoryState } from "../remembering/MemoryState";
import { useForgetting } from "../remembering/useForgetting";
import { useChips } from "../remembering/useChips";
import { usePendingMessages } from "../remembering/usePendingMessages";
import { useWithdraw } from "../remembering/useWithdraw";
import { restoredMemories } from "./steps";
import { ThreadContext, type Rate, type ThreadContextValue } from "./ThreadContext";
import { Composer } from "./Composer";
import { announcementText } from "./announcement";
import { OutgoingMessages } from "./OutgoingMessages";
import { ShowEarlier } from "./ShowEarlier";
import { TemporaryBanner } from "./TemporaryBanner";
import "./chat.css";

const loadMessages = () => import("./Messages");

/** Number of messages rendered at first, and added by each "Show earlier messages". */
const PAGE_SIZE = 60;

type Props = {
  api: Api;
  thread: ThreadId;
  /** Since the page was opened, oldest first. */
  memoryChanges: readonly MemoryChange[];
  memoryVersion: number;
  onMemoryChange: () => void;
  chat: Chat;
  config: Config;
  options: RunOptions;
  onOptionsChange: (options: RunOptions) => void;
  onSend: (text: string) => void;
  /** Send a text in the place of a message, in a new branch; with null, the chosen model answers. */
  onBranch: (before: MessageId, text: string, model: string | null) => Promise<void>;
  onRate: Rate;
  /** Shown while there are no messages. */
  welcome: ReactNode;
  onRetry: () => void;
  onResend: (message: Outgoing) => void;
  onWithdraw: (message: Outgoing) => void;
  drafts: Drafts;
  draftKey: string;
  onReload: () => void;
  onStop: () => void;
  onDelete: () => void;
};

export function Thread({ chat, config, onSend, onStop, onDelete, welcome, ...props }: Props) {
  const strings = useStrings();
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const [tooLong, setTooLong] = useState(false);
  const [typing, setTyping] = useState(false);
  const { temporary, messages, run } = chat;
  const isEmpty = messages.length + chat.outgoing.length === 0;
  const visible = useMemo(() => messages.slice(-visibleCount), [messages, visibleCount]);
  const context = useThreadContext({ ...props, config }, chat);
  const runtime = useThreadRuntime({
    ...{ chat, visible, sendDisabled: tooLong, onSend, onStop },
    onBranch: props.onBranch,
  });
  return (
    <ThreadContext value={context}>
      <AssistantRuntimeProvider runtime={runtime}>
        <ThreadPrimitive.Root className="thread">
          {temporary && <TemporaryBanner onDelete={messages.length > 0 ? onDelete : null} />}
          <ThreadPrimitive.Viewport
            className="thread-viewport"
            role="region"
            aria-label={strings.chat.messages}
            autoScroll={!isEmpty}
            tabIndex={0}
          >
            <div className="thread-content" data-testid="messages">
              <ThreadContent
                {...props}
                chat={chat}
                welcome={welcome}
                typing={typing}
                onShowEarlier={
                  messages.length > visibleCount
                    ? () => setVisibleCount(visibleCount + PAGE_SIZE)
                    : null
                }
              />
            </div>
          </ThreadPrimitive.Viewport>
          <div className="thread-footer" onInput={() => setTyping(true)}>
            {!isEmpty && (
              <ThreadPrimitive.ScrollToBottom
                className="button-round thread-scroll-to-bottom"
                aria-label={strings.chat.scrollDown}
              >
                <DownIcon />
              </ThreadPrimitive.ScrollToBottom>
            )}
            <Composer
              memoryState={
                <MemoryState
                  api={props.api}
                  version={props.memoryVersion}
                  temporary={temporary}
                  onChange={props.onMemoryChange}
                />
              }
              config={config}
              options={props.options}
              onOptionsChange={props.onOptionsChange}
              drafts={temporary ? null : props.drafts}
              draftKey={props.draftKey}
              onTooLong={setTooLong}
              stopping={run.state === "running" && run.stopping}
            />
            {config.offline && <p className="thread-note">{strings.chat.offline}</p>}
          </div>
        </ThreadPrimitive.Root>
        <p className="visually-hidden" role="status" data-testid="announcement">
          {announcementText(strings, chat.announcement)}
        </p>
      </AssistantRuntimeProvider>
    </ThreadContext>
  );
}

type ContentProps = Pick<
  Props,
  "chat" | "welcome" | "onResend" | "onWithdraw" | "onRetry" | "onReload"
> & {
  /** True if the user has begun to write: the first message will follow. */
  typing: boolean;
  /** Null: all messages are shown. */
  onShowEarlier: (() => void) | null;
};

function ThreadContent({ chat, welcome, typing, onShowEarlier, ...props }: ContentProps) {
  const { chat: strings } = useStrings();
  const { history, messages, outgoing } = chat;
  const Messages = useModule(loadMessages, typing || history === "loading" || messages.length > 0);
  return (
    <>
      {onShowEarlier && <ShowEarlier onShow={onShowEarlier} />}
      {history === "loading" && <p className="thread-loading">{strings.loading}</p>}
      {history === "loaded" && messages.length + outgoing.length === 0 && welcome}
      {Messages && messages.length > 0 && <Messages.default />}
      <OutgoingMessages
        messages={outgoing}
        onResend={props.onResend}
        onWithdraw={props.onWithdraw}
      />
      <ChatProblem chat={chat} onRetry={props.onRetry} onReload={props.onReload} />
    </>
  );
}

type ContextProps = Pick<
  Props,
  "api" | "thread" | "config" | "memoryChanges" | "memoryVersion" | "onMemoryChange" | "onRate"
>;

function useThreadContext(
  { api, thread, config, memoryChanges, memoryVersion, onMemoryChange, onRate }: ContextProps,
  chat: Chat,
): ThreadContextValue {
  const chips = useChips(api, thread, memoryChanges, chat.messages[0]?.ts ?? null);
  const mayPend = chat.messages.length > 0 && !chat.temporary;
  const pending = usePendingMessages(api, mayPend ? memoryVersion : null);
  const withdraw = useWithdraw(api, onMemoryChange);
  const { forgotten, forget, retire } = useForgetting(api, onMemoryChange);
  const restored = useRestored(chat);
  return useMemo(
    () => ({
      api,
      forgotten,
      restored,
      onForget: forget,
      onWrong: retire,
      thread,
      chips,
      pending,
      models: config.models,
      onRate,
      onMemoryChange,
      onUndo: (memory: MemoryId) => api.memories.undo(memory).then(onMemoryChange),
      onWithdraw: withdraw,
    }),
    [
      api,
      thread,
      config,
      chips,
      pending,
      withdraw,
      forgotten,
      restored,
      forget,
      retire,
      onMemoryChange,
      onRate,
    ],
  );
}

/** The memories that messages have restored; the same set until there are others. */
function useRestored({ messages }: Chat): ReadonlySet<MemoryId> {
  const ids = messages.flatMap(({ steps }) => restoredMemories(steps)).join();
  return useMemo(() => new Set(ids.split(",") as MemoryId[]), [ids]);
}

type ChatProblemProps = { chat: Chat; onRetry: () => void; onReload: () => void };

/** The problem of loading the thread or of its last run, with a retry button. */
function ChatProblem({ chat, onRetry, onReload }: ChatProblemProps) {
  const { history, run } = chat;
  if (typeof history === "object") return <RetryNotice problem={history} onRetry={onReload} />;
  return run.state === "failed" ? <RetryNotice problem={run.problem} onRetry={onRetry} /> : null;
}

function RetryNotice({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  return (
    <Notice problem={problem}>
      <button type="button" className="button button-small" onClick={onRetry}>
        {useStrings().actions.tryAgain}
      </button>
    </Notice>
  );
}
