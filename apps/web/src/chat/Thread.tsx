import {
  AssistantRuntimeProvider,
  ThreadPrimitive,
  useExternalStoreRuntime,
  type AppendMessage,
  type ThreadMessageLike,
} from "@assistant-ui/react";
import { useMemo, useState, type ReactNode } from "react";
import type { Api, RunOptions } from "../api/client";
import type { Config, MemoryChange, MemoryId, Problem, ThreadId } from "../api/types";
import { useStrings } from "../strings";
import { DownIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import type { Drafts } from "../drafts/drafts";
import { isRunning, type Chat, type Message, type Outgoing } from "./chat";
import { MemoryState } from "../remembering/MemoryState";
import { useForgetting } from "../remembering/useForgetting";
import { useChips } from "../remembering/useChips";
import { ThreadContext, type ThreadContextValue } from "./ThreadContext";
import { Composer } from "./Composer";
import { announcementText } from "./announcement";
import { AssistantMessage, UserMessage } from "./Message";
import { OutgoingMessages } from "./OutgoingMessages";
import { ShowEarlier } from "./ShowEarlier";
import { TemporaryBanner } from "./TemporaryBanner";
import "./chat.css";

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
  const { history, temporary, messages, outgoing, run } = chat;
  const visible = useMemo(() => messages.slice(-visibleCount), [messages, visibleCount]);
  const context = useThreadContext(props, chat);
  const runtime = useExternalStoreRuntime<Message>({
    messages: visible,
    isRunning: isRunning(chat),
    isSendDisabled: tooLong,
    convertMessage,
    onNew: (message) => Promise.resolve(onSend(textOf(message))),
    onCancel: () => Promise.resolve(onStop()),
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
            tabIndex={0}
          >
            <div className="thread-content" data-testid="messages">
              {messages.length > visibleCount && (
                <ShowEarlier onShow={() => setVisibleCount(visibleCount + PAGE_SIZE)} />
              )}
              {history === "loading" && <p className="thread-loading">{strings.chat.loading}</p>}
              {history === "loaded" && messages.length + outgoing.length === 0 && welcome}
              <ThreadPrimitive.Messages>
                {({ message }) =>
                  message.role === "user" ? <UserMessage /> : <AssistantMessage />
                }
              </ThreadPrimitive.Messages>
              <OutgoingMessages
                messages={outgoing}
                onResend={props.onResend}
                onWithdraw={props.onWithdraw}
              />
              <ChatProblem chat={chat} onRetry={props.onRetry} onReload={props.onReload} />
            </div>
          </ThreadPrimitive.Viewport>
          <div className="thread-footer">
            <ThreadPrimitive.ScrollToBottom
              className="button-round thread-scroll-to-bottom"
              aria-label={strings.chat.scrollDown}
            >
              <DownIcon />
            </ThreadPrimitive.ScrollToBottom>
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

type ContextProps = Pick<Props, "api" | "thread" | "memoryChanges" | "onMemoryChange">;

function useThreadContext(
  { api, thread, memoryChanges, onMemoryChange }: ContextProps,
  chat: Chat,
): ThreadContextValue {
  const chips = useChips(api, thread, memoryChanges, chat.messages[0]?.ts ?? null);
  const { forgotten, forget } = useForgetting(api, onMemoryChange);
  return useMemo(
    () => ({
      api,
      forgotten,
      onForget: forget,
      thread,
      chips,
      onMemoryChange,
      onUndo: (memory: MemoryId) => api.memories.undo(memory).then(onMemoryChange),
    }),
    [api, thread, chips, forgotten, forget, onMemoryChange],
  );
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

function convertMessage({ id, role, text }: Message): ThreadMessageLike {
  return { id, role, content: text === "" ? [] : [{ type: "text", text }] };
}

function textOf({ content }: AppendMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
