import type { RecalledMemory } from "../api/types";

export type RecallGroups = {
  /** Relevant to the message. */
  readonly recalled: readonly RecalledMemory[];
  /** Included for every message. */
  readonly standing: readonly RecalledMemory[];
};

/** Divide the memories of an answer by why the model received them. */
export function groupByWhy(memories: readonly RecalledMemory[]): RecallGroups {
  return {
    recalled: memories.filter(({ why }) => why !== "standing"),
    standing: memories.filter(({ why }) => why === "standing"),
  };
}

/** The label of the list: the number of recalled memories or, if there are none, of standing ones. */
export function recallLabel({ recalled, standing }: RecallGroups): string {
  if (recalled.length === 0) return `${standing.length} always included`;
  return recalled.length === 1 ? "1 memory used" : `${recalled.length} memories used`;
}
