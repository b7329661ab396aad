import type { FactLimit } from "../api/types";
import type { Strings } from "../strings";

/** The share of the limit from which on it is shown. */
const NEAR = 0.8;

/** Whether the limit concerns the user: they are near it, or facts have moved to history because of it. */
export function isLimitRelevant({ facts, max_facts, evicted }: FactLimit): boolean {
  return facts >= NEAR * max_facts || evicted.length > 0;
}

/** Compare the number of facts with their limit, and say what happens above it. */
export function limitMessage({ limit }: Strings, { facts, max_facts }: FactLimit): string {
  return facts <= max_facts ? limit.within(facts, max_facts) : limit.above(facts, max_facts);
}
