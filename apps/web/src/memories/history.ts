import type { MemoryId, MemoryVersion } from "../api/types";
import type { Format, Strings } from "../strings";

/** Check whether the memory replaced an earlier version that undo can restore. */
export function canUndo(memory: MemoryId, versions: readonly MemoryVersion[]): boolean {
  return versions.some(({ by, why }) => by === memory && (why === "edited" || why === "replaced"));
}

/** The reason and the date of the change that retired this version. */
export function versionLabel(
  { history: { reasons } }: Strings,
  format: Format,
  { why, who, retired_at }: MemoryVersion,
): string {
  const labels: Readonly<Record<string, string>> = reasons;
  const byUser = why === "replaced" && who === "user";
  const reason = byUser ? reasons.replacedByUser : (labels[why] ?? "");
  return [reason, format.day(retired_at)].filter((part) => part !== "").join(" · ");
}
