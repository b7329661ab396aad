import { getExternalStoreMessages, useAuiState } from "@assistant-ui/react";
import * as MessagePrimitive from "@assistant-ui/react/primitives/message";
import { useMemo, useState } from "react";
import type { RecalledMemory } from "../api/types";
import { useStrings } from "../strings";
import { AnswerActions } from "./AnswerActions";
import { AnswerText } from "./AnswerText";
import type { Message as ChatMessage } from "./messages";
import { RecallContext } from "./RecallContext";
import { RecalledMemories } from "./RecalledMemories";
import { SourceCards } from "./SourceCards";
import { useThread } from "./ThreadContext";
import { ToolSteps } from "./ToolSteps";
import { useSourceFinder } from "./useSourceFinder";

const NO_MEMORIES: readonly RecalledMemory[] = [];

export function AssistantMessage() {
  const { onUndo, restored } = useThread();
  const { app } = useStrings();
  const running = useAuiState((state) => state.message.status?.type === "running");
  const last = useAuiState((state) => state.message.isLast);
  const message = useAuiState((state) => getExternalStoreMessages<ChatMessage>(state.message)[0]);
  const [highlighted, setHighlighted] = useState<RecalledMemory | null>(null);
  const recall = message?.recall ?? null;
  const answer = message?.savedId ?? null;
  const findSources = useSourceFinder(recall?.memories ?? NO_MEMORIES, running);
  const context = useMemo(
    () => ({ recall, answer, findSources, onHighlight: setHighlighted }),
    [recall, answer, findSources],
  );
  return (
    <RecallContext value={context}>
      <MessagePrimitive.Root
        className="message message-assistant"
        role="article"
        aria-label={app.name}
        aria-busy={running}
        data-last={last || undefined}
        data-testid="answer"
      >
        {message && <ToolSteps steps={message.steps} restored={restored} onUndo={onUndo} />}
        <MessagePrimitive.Parts components={{ Text: AnswerText }} />
        {message && <AnswerFooter message={message} running={running} highlighted={highlighted} />}
      </MessagePrimitive.Root>
    </RecallContext>
  );
}

type FooterProps = { message: ChatMessage; running: boolean; highlighted: RecalledMemory | null };

function AnswerFooter({ message, running, highlighted }: FooterProps) {
  const { chat: strings } = useStrings();
  const { text, recall, stopped, cutOff, steps, sources } = message;
  const toolRunning = steps.some(({ state }) => state === "running");
  return (
    <>
      {running && text === "" && !toolRunning && <TypingIndicator />}
      {stopped && <p className="message-stopped">{strings.stopped}</p>}
      {cutOff && <p className="message-stopped">{strings.cutOff[cutOff]}</p>}
      {sources.length > 0 && <SourceCards sources={sources} />}
      <footer className="message-footer">
        {recall && <RecalledMemories recall={recall} answer={text} highlighted={highlighted} />}
        {!running && text !== "" && <AnswerActions message={message} />}
      </footer>
    </>
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
