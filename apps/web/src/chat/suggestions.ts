import type { Memory } from "../api/types";
import type { Strings } from "../strings";
import { isSensitive } from "./sensitiveTopics";

const MAX_SUGGESTIONS = 3;
const MAX_QUOTE_CHARS = 90;
const DAYS_AHEAD = 7;
const DAY_MS = 86_400_000;
/** The categories that make good questions, best first. */
const CATEGORIES = ["project", "preference", "personal"] as const;

/**
 * First messages for a new thread: questions about what is known, in the user's own words, or examples if nothing is.
 *
 * What holds until a day of the coming week comes first. Past and sensitive facts are not used.
 *
 * @param facts the newest first.
 */
export function suggestMessages(
  strings: Strings["chat"]["welcome"],
  facts: readonly Memory[],
  now: Date,
): readonly string[] {
  if (facts.length === 0) return [strings.about, strings.question, strings.remembered];
  const quotable = facts.filter((fact) => isQuotable(fact) && daysLeft(fact, now) >= 0);
  const soon = quotable.find((fact) => daysLeft(fact, now) <= DAYS_AHEAD);
  const questions = CATEGORIES.flatMap((category) => {
    const fact = quotable.find((one) => one.category === category && one !== soon);
    return fact ? [strings.ask[category](quoteOf(fact))] : [];
  });
  const first = soon ? [strings.ask.thisWeek(quoteOf(soon))] : [];
  return [...[...first, ...questions].slice(0, MAX_SUGGESTIONS - 1), strings.remembered];
}

function isQuotable(fact: Memory): boolean {
  const quote = quoteOf(fact);
  return quote !== "" && quote.length <= MAX_QUOTE_CHARS && !isSensitive(`${quote}\n${fact.text}`);
}

function quoteOf({ quote }: Memory): string {
  return quote?.trim() ?? "";
}

/** From today to the last day on which a fact holds, negative if it is past; infinite if it has none. */
function daysLeft({ until }: Memory, now: Date): number {
  if (until === null) return Infinity;
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.round((new Date(`${until}T00:00`).getTime() - today.getTime()) / DAY_MS);
}
