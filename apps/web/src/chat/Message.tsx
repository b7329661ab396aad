import {
  ActionBarPrimitive,
  getExternalStoreMessages,
  MessagePrimitive,
  useAuiState,
} from "@assistant-ui/react";
import { CheckIcon, CopyIcon } from "../ui/icons";
import type { Message as ChatMessage } from "./chat";
import { Markdown } from "./Markdown";
import { Recalled } from "./Recalled";
import { ToolSteps } from "./ToolSteps";

export function UserMessage() {
  return (
    <MessagePrimitive.Root
      className="message message-user"
      role="article"
      aria-label="You"
      data-testid="question"
    >
      <MessagePrimitive.Parts components={{ Text: PlainText }} />
    </MessagePrimitive.Root>
  );
}

export function AssistantMessage() {
  const running = useAuiState((state) => state.message.status?.type === "running");
  const message = useAuiState((state) => getExternalStoreMessages<ChatMessage>(state.message)[0]);
  return (
    <MessagePrimitive.Root
      className="message message-assistant"
      role="article"
      aria-label="Keepsake"
      aria-busy={running}
      data-testid="answer"
    >
      {message && <ToolSteps tools={message.tools} />}
      <MessagePrimitive.Parts components={{ Text: Markdown }} />
      {message && <Rest message={message} running={running} />}
    </MessagePrimitive.Root>
  );
}

/** What stands under the words of an answer. */
function Rest({ message, running }: { message: ChatMessage; running: boolean }) {
  const { text, recalled, stopped, tools } = message;
  const working = tools.some(({ state }) => state === "running");
  return (
    <>
      {running && text === "" && !working && <Thinking />}
      {stopped && <p className="message-stopped">You stopped this answer.</p>}
      <footer className="message-foot">
        {recalled && <Recalled recalled={recalled} />}
        {!running && text !== "" && <Copy />}
      </footer>
    </>
  );
}

function PlainText({ text }: { text: string }) {
  return <p className="message-text">{text}</p>;
}

function Thinking() {
  return (
    <p className="thinking" aria-hidden="true">
      <span />
      <span />
      <span />
    </p>
  );
}

function Copy() {
  const copied = useAuiState((state) => state.message.isCopied);
  return (
    <ActionBarPrimitive.Copy className="button-icon" aria-label={copied ? "Copied" : "Copy answer"}>
      {copied ? <CheckIcon /> : <CopyIcon />}
    </ActionBarPrimitive.Copy>
  );
}
