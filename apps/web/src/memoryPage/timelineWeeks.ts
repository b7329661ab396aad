import type { MemoryChange } from "../api/types";

export type Week = {
  /** Midnight of its Monday in local time. */
  readonly start: Date;
  /** 0: this week, 1: last week, … */
  readonly ago: number;
  readonly changes: readonly MemoryChange[];
};

/** Group changes by week, newest first; the order within a week is kept. */
export function groupByWeek(changes: readonly MemoryChange[], now: Date): readonly Week[] {
  const weeks = new Map<number, MemoryChange[]>();
  for (const change of changes) {
    const start = startOfWeek(new Date(change.ts)).getTime();
    weeks.set(start, [...(weeks.get(start) ?? []), change]);
  }
  const current = startOfWeek(now).getTime();
  return [...weeks.entries()]
    .sort(([a], [b]) => b - a)
    .map(([time, grouped]) => ({
      start: new Date(time),
      ago: Math.round((current - time) / WEEK_MS),
      changes: grouped,
    }));
}

const WEEK_MS = 7 * 86_400_000;

function startOfWeek(date: Date): Date {
  const daysSinceMonday = (date.getDay() + 6) % 7;
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysSinceMonday);
}
