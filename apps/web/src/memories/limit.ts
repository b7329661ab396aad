import type { FactLimit } from "../api/types";
import type { Strings } from "../strings";

/** Compare the number of facts with their limit, and say what happens above it. */
export function limitMessage({ limit }: Strings, { facts, max_facts }: FactLimit): string {
  return facts <= max_facts ? limit.within(facts, max_facts) : limit.above(facts, max_facts);
}
