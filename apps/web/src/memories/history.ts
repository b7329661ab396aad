import type { MemoryId, MemoryVersion } from "../api/types";
import { dateLabel } from "../ui/labels";

const REASON_LABELS: Readonly<Record<string, string>> = {
  replaced: "replaced by a later message",
  edited: "edited by you",
  undone: "undone by you",
  crowded_out: "moved to history at the limit of facts",
  folded: "merged into your profile",
  forgotten: "forgotten by you",
};

/** Check whether the memory replaced an earlier version that undo can restore. */
export function canUndo(memory: MemoryId, versions: readonly MemoryVersion[]): boolean {
  return versions.some(({ by, why }) => by === memory && (why === "edited" || why === "replaced"));
}

/** The reason and the date of the change that retired this version. */
export function versionLabel({ why, who, retired_at }: MemoryVersion): string {
  const reason =
    why === "replaced" && who === "user" ? "replaced by you" : (REASON_LABELS[why] ?? why);
  const date = dateLabel(retired_at);
  return date === "" ? reason : `${reason} · ${date}`;
}
