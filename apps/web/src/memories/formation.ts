import type { Formation } from "../api/types";

/** What of the user's words is not yet distilled, and why, in a sentence each. */
export function formationLines({ pending, attempts, last_error, set_aside }: Formation): string[] {
  const aside = set_aside.reduce((sum, { messages }) => sum + messages.length, 0);
  const lines: string[] = [];
  if (pending > 0) lines.push(`${messages(pending)} not yet distilled.`);
  if (pending > 0 && attempts > 0) lines.push(`The last try failed${because(last_error)}.`);
  if (aside > 0) {
    const error = set_aside.at(-1)?.error ?? null;
    lines.push(`${messages(aside)} set aside, after trying often enough${because(error)}.`);
  }
  return lines.length === 0 ? ["All that you said is distilled."] : lines;
}

function messages(number: number): string {
  return number === 1 ? "1 message is" : `${number} messages are`;
}

function because(error: string | null): string {
  const words = error?.trim().replace(/\.$/, "") ?? "";
  return words === "" ? "" : `: ${words}`;
}
