import type { FactLimit } from "../api/types";

/** Compare the number of facts with their limit, and say what happens above it. */
export function limitMessage({ facts, max_facts }: FactLimit): string {
  if (facts <= max_facts) return `${facts} of at most ${max_facts} facts.`;
  return (
    `${facts} facts, and the limit is ${max_facts}. When the next message is saved, the least certain facts above ` +
    "the limit move to history. Pinned facts and those that are always included stay."
  );
}

/** How many facts moved to history because of the limit. */
export function evictedMessage({ evicted, max_facts }: FactLimit): string {
  const count = evicted.length === 1 ? "1 fact" : `${evicted.length} facts`;
  return `${count} moved to history at the limit of ${max_facts}`;
}
