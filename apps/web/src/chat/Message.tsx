import {
  ActionBarPrimitive,
  getExternalStoreMessages,
  MessagePrimitive,
  useAuiState,
} from "@assistant-ui/react";
import type { MemoryId } from "../api/types";
import { useStrings } from "../strings";
import { CheckIcon, CopyIcon } from "../ui/icons";
import { AnswerText } from "./AnswerText";
import type { Message as ChatMessage } from "./chat";
import { RecalledMemories } from "./RecalledMemories";
import { ToolSteps } from "./ToolSteps";

export function UserMessage() {
  const { chat: strings } = useStrings();
  return (
    <MessagePrimitive.Root
      className="message message-user"
      role="article"
      aria-label={strings.you}
      data-testid="question"
    >
      <MessagePrimitive.Parts components={{ Text: PlainText }} />
    </MessagePrimitive.Root>
  );
}

type Props = { onUndo: (memory: MemoryId) => Promise<unknown> };

export function AssistantMessage({ onUndo }: Props) {
  const { app } = useStrings();
  const running = useAuiState((state) => state.message.status?.type === "running");
  const message = useAuiState((state) => getExternalStoreMessages<ChatMessage>(state.message)[0]);
  return (
    <MessagePrimitive.Root
      className="message message-assistant"
      role="article"
      aria-label={app.name}
      aria-busy={running}
      data-testid="answer"
    >
      {message && <ToolSteps steps={message.steps} onUndo={onUndo} />}
      <MessagePrimitive.Parts components={{ Text: AnswerText }} />
      {message && <AnswerFooter message={message} running={running} />}
    </MessagePrimitive.Root>
  );
}

function AnswerFooter({ message, running }: { message: ChatMessage; running: boolean }) {
  const { chat: strings } = useStrings();
  const { text, recall, stopped, cutOff, steps } = message;
  const toolRunning = steps.some(({ state }) => state === "running");
  return (
    <>
      {running && text === "" && !toolRunning && <TypingIndicator />}
      {stopped && <p className="message-stopped">{strings.stopped}</p>}
      {cutOff && <p className="message-stopped">{strings.cutOff[cutOff]}</p>}
      <footer className="message-footer">
        {recall && <RecalledMemories recall={recall} />}
        {!running && text !== "" && <CopyButton />}
      </footer>
    </>
  );
}

function PlainText({ text }: { text: string }) {
  return (
    <p className="message-text" dir="auto">
      {text}
    </p>
  );
}

function TypingIndicator() {
  return (
    <p className="typing-indicator" aria-hidden="true">
      <span />
      <span />
      <span />
    </p>
  );
}

function CopyButton() {
  const strings = useStrings();
  const copied = useAuiState((state) => state.message.isCopied);
  return (
    <ActionBarPrimitive.Copy
      className="button-icon"
      aria-label={copied ? strings.actions.copied : strings.chat.copyAnswer}
    >
      {copied ? <CheckIcon /> : <CopyIcon />}
    </ActionBarPrimitive.Copy>
  );
}
