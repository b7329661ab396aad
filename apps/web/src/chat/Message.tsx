import {
  ActionBarPrimitive,
  getExternalStoreMessages,
  MessagePrimitive,
  useAuiState,
} from "@assistant-ui/react";
import { useMemo, useState } from "react";
import type { MessageId, RecalledMemory } from "../api/types";
import { MemoryChips } from "../remembering/MemoryChips";
import { useStrings } from "../strings";
import { CheckIcon, CopyIcon } from "../ui/icons";
import { AnswerText } from "./AnswerText";
import type { Message as ChatMessage } from "./chat";
import { RecallContext } from "./RecallContext";
import { RecalledMemories } from "./RecalledMemories";
import { useThread } from "./ThreadContext";
import { ToolSteps } from "./ToolSteps";

export function UserMessage() {
  const { chips, onUndo } = useThread();
  const id = useAuiState((state) => state.message.id);
  const { chat: strings } = useStrings();
  return (
    <div className="message-question">
      <MessagePrimitive.Root
        className="message message-user"
        role="article"
        aria-label={strings.you}
        data-testid="question"
      >
        <MessagePrimitive.Parts components={{ Text: PlainText }} />
      </MessagePrimitive.Root>
      <MemoryChips chips={chips.get(id as MessageId) ?? []} onUndo={onUndo} />
    </div>
  );
}

export function AssistantMessage() {
  const { onUndo } = useThread();
  const { app } = useStrings();
  const running = useAuiState((state) => state.message.status?.type === "running");
  const message = useAuiState((state) => getExternalStoreMessages<ChatMessage>(state.message)[0]);
  const [highlighted, setHighlighted] = useState<RecalledMemory | null>(null);
  const recall = message?.recall ?? null;
  const context = useMemo(() => ({ recall, onHighlight: setHighlighted }), [recall]);
  return (
    <RecallContext value={context}>
      <MessagePrimitive.Root
        className="message message-assistant"
        role="article"
        aria-label={app.name}
        aria-busy={running}
        data-testid="answer"
      >
        {message && <ToolSteps steps={message.steps} onUndo={onUndo} />}
        <MessagePrimitive.Parts components={{ Text: AnswerText }} />
        {message && <AnswerFooter message={message} running={running} highlighted={highlighted} />}
      </MessagePrimitive.Root>
    </RecallContext>
  );
}

type FooterProps = { message: ChatMessage; running: boolean; highlighted: RecalledMemory | null };

function AnswerFooter({ message, running, highlighted }: FooterProps) {
  const { chat: strings } = useStrings();
  const { text, recall, stopped, cutOff, steps } = message;
  const toolRunning = steps.some(({ state }) => state === "running");
  return (
    <>
      {running && text === "" && !toolRunning && <TypingIndicator />}
      {stopped && <p className="message-stopped">{strings.stopped}</p>}
      {cutOff && <p className="message-stopped">{strings.cutOff[cutOff]}</p>}
      <footer className="message-footer">
        {recall && <RecalledMemories recall={recall} highlighted={highlighted} />}
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
