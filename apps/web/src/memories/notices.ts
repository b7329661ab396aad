import type { FlushResult, MemoryKind } from "../api/types";
import type { Format, Strings } from "../strings";

const KINDS: readonly MemoryKind[] = ["user", "episodic", "procedural"];
const COUNTS = ["added", "replaced", "confirmed", "rejected", "episodes"] as const;

/** Summarise for the user what was saved. */
export function flushNotice({ saving }: Strings, format: Format, result: FlushResult): string {
  const parts = COUNTS.filter((name) => result[name] > 0).map((name) => saving[name](result[name]));
  return parts.length === 0 ? saving.nothing : saving.result(format.list(parts));
}

/** Tell the user how many memories were deleted, without other documents. */
export function deletionNotice(
  { memories }: Strings,
  deleted: Readonly<Record<string, number>>,
): string {
  return memories.allDeleted(KINDS.reduce((sum, kind) => sum + (deleted[kind] ?? 0), 0));
}
