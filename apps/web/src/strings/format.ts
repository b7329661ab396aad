/** Dates and numbers in the user's language. */

export type Format = ReturnType<typeof createFormat>;

const DAY_MS = 86_400_000;
const MAX_RELATIVE_DAYS = 6;

export function createFormat(locale: string) {
  const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const number = new Intl.NumberFormat(locale);
  const list = new Intl.ListFormat(locale, { type: "unit" });

  /** A timestamp as a date; empty if it is invalid. */
  const formatDate = (ts: string) => (isValid(ts) ? date.format(new Date(ts)) : "");

  /** "today", "yesterday", up to six days relative to now; then the date; empty if the timestamp is invalid. */
  const day = (ts: string, now = new Date()) => {
    if (!isValid(ts)) return "";
    const days = Math.round((startOfDay(new Date(ts)) - startOfDay(now)) / DAY_MS);
    return Math.abs(days) <= MAX_RELATIVE_DAYS ? relative.format(days, "day") : formatDate(ts);
  };

  return {
    date: formatDate,
    day,
    number: (value: number) => number.format(value),
    list: (items: readonly string[]) => list.format(items),
  };
}

function isValid(ts: string): boolean {
  return !Number.isNaN(new Date(ts).getTime());
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
