import type { Memory } from "../api/types";
import type { Strings } from "../strings";

const MAX_SUGGESTIONS = 3;
const MAX_QUOTE_CHARS = 90;
/** The categories that make good questions, best first. */
const CATEGORIES = ["project", "preference", "personal"] as const;

/**
 * First messages for a new thread: questions about what is known, in the user's own words, or examples if nothing is.
 *
 * @param facts the newest first.
 */
export function suggestMessages(
  strings: Strings["chat"]["welcome"],
  facts: readonly Memory[],
): readonly string[] {
  if (facts.length === 0) return [strings.about, strings.question, strings.remembered];
  const questions = CATEGORIES.flatMap((category) => {
    const quote = facts.map((fact) => quoteOf(fact, category)).find((text) => text !== null);
    return quote ? [strings.ask[category](quote)] : [];
  });
  return [...questions.slice(0, MAX_SUGGESTIONS - 1), strings.remembered];
}

function quoteOf(fact: Memory, category: Memory["category"]): string | null {
  const quote = fact.quote?.trim() ?? "";
  const usable = fact.category === category && quote !== "" && quote.length <= MAX_QUOTE_CHARS;
  return usable ? quote : null;
}
