import type { FormationStatus } from "../api/types";

/** Describe the messages that are not yet processed, and the last error; one sentence per item. */
export function formationMessages(formation: FormationStatus): string[] {
  const { pending, attempts, last_error, set_aside } = formation;
  const failed = set_aside.reduce((sum, { messages }) => sum + messages.length, 0);
  const sentences: string[] = [];
  if (pending > 0) {
    sentences.push(`${count(pending)} ${pending === 1 ? "is" : "are"} not yet saved to memory.`);
    if (attempts > 0) sentences.push(`The last attempt failed${reason(last_error)}.`);
  }
  if (failed > 0) {
    const error = set_aside.at(-1)?.error ?? null;
    sentences.push(`${count(failed)} could not be saved to memory${reason(error)}.`);
  }
  return sentences.length === 0 ? ["Everything is saved."] : sentences;
}

function count(messages: number): string {
  return messages === 1 ? "1 message" : `${messages} messages`;
}

function reason(error: string | null): string {
  const text = error?.trim().replace(/\.$/, "") ?? "";
  return text === "" ? "" : `: ${text}`;
}
