import type { TextMessagePartProps } from "@assistant-ui/react";
import { useMemo, type ReactNode } from "react";
import { MarkSourcesContext, type MarkSource } from "../markdown/MarkSourcesContext";
import { useModule } from "../ui/useModule";
import type { RecalledMemory } from "../api/types";
import { useRecall } from "./RecallContext";

const loadMarkdown = () => import("../markdown/Markdown");
const NO_MEMORIES: readonly RecalledMemory[] = [];

/** The text of an answer; it is shown without formatting until Markdown is loaded. */
export function AnswerText({ text, status }: TextMessagePartProps) {
  const module = useModule(loadMarkdown, true);
  const { recall, findSources } = useRecall();
  const memories = recall?.memories ?? NO_MEMORIES;
  if (module === null) return <p className="message-text">{text}</p>;
  return (
    <SourcesOfMarks memories={memories}>
      <module.Markdown text={text} growing={status.type === "running"} findSources={findSources} />
    </SourcesOfMarks>
  );
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
