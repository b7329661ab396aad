import type { Strings } from "../strings";
import type { RecalledMemory } from "../api/types";

export type RecallGroups = {
  /** Relevant to the message, or quoted by the answer. */
  readonly used: readonly RecalledMemory[];
  /** The others, which are included for every message. */
  readonly standing: readonly RecalledMemory[];
};

/** Divide the memories of an answer by whether it used them. */
export function groupByUse(
  memories: readonly RecalledMemory[],
  quoted: ReadonlySet<RecalledMemory>,
): RecallGroups {
  const isUsed = (memory: RecalledMemory) => memory.why !== "standing" || quoted.has(memory);
  return {
    used: memories.filter(isUsed),
    standing: memories.filter((memory) => !isUsed(memory)),
  };
}

/** The label of the list: the number of used memories or, if there are none, of standing ones. */
export function recallLabel(strings: Strings["recall"], { used, standing }: RecallGroups): string {
  return used.length === 0 ? strings.standing(standing.length) : strings.used(used.length);
}
