import {
  AssistantRuntimeProvider,
  ThreadPrimitive,
  useExternalStoreRuntime,
  type AppendMessage,
  type ThreadMessageLike,
} from "@assistant-ui/react";
import { useMemo, useState } from "react";
import type { Choices } from "../api/client";
import type { Problem } from "../api/problem";
import type { Config } from "../api/types";
import { DownIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { isAnswering, type Chat, type Message } from "./chat";
import { Composer } from "./Composer";
import { Earlier } from "./Earlier";
import { AssistantMessage, UserMessage } from "./Message";
import { Temporary } from "./Temporary";
import { Welcome } from "./Welcome";
import "./chat.css";

/** How many messages are drawn at first, and how many more at a time. */
const SHOWN = 60;

type Props = {
  chat: Chat;
  config: Config;
  choices: Choices;
  onChoose: (choices: Choices) => void;
  onAsk: (text: string) => void;
  onRetry: () => void;
  onReload: () => void;
  onStop: () => void;
  /** Ends a temporary thread now. */
  onEnd: () => void;
};

export function Thread({ chat, config, onAsk, onStop, onEnd, ...props }: Props) {
  const [shown, setShown] = useState(SHOWN);
  const { history, temporary, messages, run } = chat;
  const latest = useMemo(() => messages.slice(-shown), [messages, shown]);
  const runtime = useExternalStoreRuntime<Message>({
    messages: latest,
    isRunning: isAnswering(chat),
    convertMessage,
    onNew: (message) => Promise.resolve(onAsk(textOf(message))),
    onCancel: () => Promise.resolve(onStop()),
  });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root className="thread">
        {temporary && <Temporary onEnd={messages.length > 0 ? onEnd : null} />}
        <ThreadPrimitive.Viewport
          className="thread-scroll"
          role="region"
          aria-label="Messages"
          tabIndex={0}
        >
          <div className="thread-page" data-testid="messages">
            {messages.length > shown && <Earlier onShow={() => setShown(shown + SHOWN)} />}
            {history === "loading" && <p className="thread-loading">Opening the thread…</p>}
            {history === "loaded" && messages.length === 0 && (
              <Welcome temporary={temporary} onExample={onAsk} />
            )}
            <ThreadPrimitive.Messages>
              {({ message }) => (message.role === "user" ? <UserMessage /> : <AssistantMessage />)}
            </ThreadPrimitive.Messages>
            <Trouble chat={chat} onRetry={props.onRetry} onReload={props.onReload} />
          </div>
        </ThreadPrimitive.Viewport>
        <div className="thread-foot">
          <ThreadPrimitive.ScrollToBottom
            className="button-round thread-down"
            aria-label="To the end"
          >
            <DownIcon />
          </ThreadPrimitive.ScrollToBottom>
          <Composer
            config={config}
            choices={props.choices}
            onChoose={props.onChoose}
            stopping={run.state === "answering" && run.stopping}
          />
          {config.offline && (
            <p className="thread-note">
              Offline model: it answers from your memory and this thread. It is no language model.
            </p>
          )}
        </div>
      </ThreadPrimitive.Root>
      <p className="visually-hidden" role="status" data-testid="announcement">
        {chat.announcement}
      </p>
    </AssistantRuntimeProvider>
  );
}

type TroubleProps = { chat: Chat; onRetry: () => void; onReload: () => void };

/** What went wrong with the thread or its last run, and how to go on. */
function Trouble({ chat, onRetry, onReload }: TroubleProps) {
  const { history, run } = chat;
  if (typeof history === "object") return <Failure problem={history} onAgain={onReload} />;
  return run.state === "failed" ? <Failure problem={run.problem} onAgain={onRetry} /> : null;
}

function Failure({ problem, onAgain }: { problem: Problem; onAgain: () => void }) {
  return (
    <Notice problem={problem}>
      <button type="button" className="button button-small" onClick={onAgain}>
        Try again
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
