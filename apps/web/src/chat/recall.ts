import type { Strings } from "../strings";
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
export function recallLabel(
  strings: Strings["recall"],
  { recalled, standing }: RecallGroups,
): string {
  return recalled.length === 0 ? strings.standing(standing.length) : strings.used(recalled.length);
}
