import type { MemoryId, MemoryVersion } from "../api/types";
import { dayLabel } from "../ui/wording";

const WHYS: Readonly<Record<string, string>> = {
  replaced: "replaced by what you said later",
  edited: "changed by you",
  undone: "undone by you",
  crowded_out: "made room for others",
  folded: "folded into your profile",
};

/** Whether undo would take back a change: the memory came in the place of something. */
export function canUndo(memory: MemoryId, versions: readonly MemoryVersion[]): boolean {
  return versions.some(({ by, why }) => by === memory && (why === "edited" || why === "replaced"));
}

/** How and when a memory ceased to be as it was. */
export function versionLabel({ why, who, retired_at }: MemoryVersion): string {
  const how = why === "replaced" && who === "user" ? "replaced by you" : (WHYS[why] ?? why);
  const day = dayLabel(retired_at);
  return day === "" ? how : `${how} · ${day}`;
}
