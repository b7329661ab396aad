import { useAuiState } from "@assistant-ui/react";
import { useMemo } from "react";
import type { RecalledMemory } from "../api/types";
import type { FindSources } from "../markdown/rehypeMarks";
import { createSourceFinder } from "./influence";

/** Finds the passages of the answer that its memories shaped; null without memories, and until it is complete. */
export function useSourceFinder(
  memories: readonly RecalledMemory[],
  running: boolean,
): FindSources | null {
  const question = useQuestion();
  return useMemo(
    () => (running || memories.length === 0 ? null : createSourceFinder(memories, question)),
    [running, memories, question],
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
