import { useAuiState, type TextMessagePartProps } from "@assistant-ui/react";
import { useMemo, type ReactNode } from "react";
import { MarkSourcesContext, type MarkSource } from "../markdown/MarkSourcesContext";
import { useModule } from "../ui/useModule";
import type { RecalledMemory } from "../api/types";
import { createSourceFinder } from "./influence";
import { useRecall } from "./RecallContext";

const loadMarkdown = () => import("../markdown/Markdown");
const NO_MEMORIES: readonly RecalledMemory[] = [];

/** The text of an answer; it is shown without formatting until Markdown is loaded. */
export function AnswerText({ text, status }: TextMessagePartProps) {
  const module = useModule(loadMarkdown, true);
  const memories = useRecall().recall?.memories ?? NO_MEMORIES;
  const question = useQuestion();
  const running = status.type === "running";
  const findSources = useMemo(
    () => (running || memories.length === 0 ? null : createSourceFinder(memories, question)),
    [running, memories, question],
  );
  if (module === null) return <p className="message-text">{text}</p>;
  return (
    <SourcesOfMarks memories={memories}>
      <module.Markdown text={text} growing={running} findSources={findSources} />
    </SourcesOfMarks>
  );
}

/** The text of the message before this one. */
function useQuestion(): string {
  return useAuiState(({ thread: { messages }, message: { id } }) => {
    const index = messages.findIndex((message) => message.id === id);
    const part = messages[index - 1]?.content[0];
    return part?.type === "text" ? part.text : "";
  });
}

type SourcesProps = { memories: readonly RecalledMemory[]; children: ReactNode };

function SourcesOfMarks({ memories, children }: SourcesProps) {
  const { onHighlight } = useRecall();
  const value = useMemo(
    () => ({
      sources: memories.map(({ text }, index): MarkSource => ({ id: String(index), text })),
      onShow: ({ id }: MarkSource) => onHighlight(memories[Number(id)] ?? null),
    }),
    [memories, onHighlight],
  );
  return <MarkSourcesContext value={value}>{children}</MarkSourcesContext>;
}
