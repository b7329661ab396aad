const KINDS: Readonly<Record<string, string>> = {
  user: "Fact",
  procedural: "How to help",
  episodic: "Episode",
  inbox: "Just said",
};

/** What a reader calls a kind of memory. */
export function kindLabel(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** A day as the reader's own locale writes it. */
export function dayLabel(ts: string): string {
  const day = new Date(ts);
  if (Number.isNaN(day.getTime())) return "";
  return day.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}
