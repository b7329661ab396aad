const KIND_LABELS: Readonly<Record<string, string>> = {
  user: "Fact",
  procedural: "Instruction",
  episodic: "Conversation",
  inbox: "Recent message",
  profile: "From your profile",
};

/** The display name of a kind of memory. */
export function kindLabel(kind: string): string {
  return KIND_LABELS[kind] ?? kind;
}

/** A timestamp as a date in the user's locale; empty if it is invalid. */
export function dateLabel(ts: string): string {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}
