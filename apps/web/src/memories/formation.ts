import type { FormationStatus } from "../api/types";
import type { Strings } from "../strings";

/** Describe the messages that are not yet processed, and the last error; one sentence per item. */
export function formationMessages({ saving }: Strings, formation: FormationStatus): string[] {
  const { pending, attempts, last_error, set_aside } = formation;
  const failed = set_aside.reduce((sum, { messages }) => sum + messages.length, 0);
  const sentences: string[] = [];
  if (pending > 0) {
    sentences.push(saving.pending(pending));
    if (attempts > 0) sentences.push(saving.lastAttempt(reason(last_error)));
  }
  if (failed > 0) sentences.push(saving.failed(failed, reason(set_aside.at(-1)?.error ?? null)));
  return sentences.length === 0 ? [saving.saved] : sentences;
}

/** The number of messages that are pending or could not be processed. */
export function unsavedCount({ pending, set_aside }: FormationStatus): number {
  return pending + set_aside.reduce((sum, { messages }) => sum + messages.length, 0);
}

function reason(error: string | null): string {
  const text = error?.trim().replace(/\.$/, "") ?? "";
  return text === "" ? "" : `: ${text}`;
}
