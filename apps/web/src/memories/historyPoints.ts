import type { Memory, MemoryVersion } from "../api/types";

export type HistoryPoint = {
  readonly type: "learned" | "changed" | "confirmed";
  readonly ts: string;
  /** From 0 (the first point) to 1 (now). */
  readonly position: number;
};

/** The points in time of a memory's history, oldest first. */
export function historyPoints(
  memory: Memory,
  versions: readonly MemoryVersion[],
  now: number,
): readonly HistoryPoint[] {
  const events = [
    ...[memory, ...versions].map(({ ts }) => ({ type: "learned", ts }) as const),
    ...versions.map(({ retired_at: ts }) => ({ type: "changed", ts }) as const),
    ...(memory.confirmed > 1 ? [{ type: "confirmed", ts: memory.last_seen } as const] : []),
  ]
    .map((event) => ({ ...event, time: new Date(event.ts).getTime() }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((a, b) => a.time - b.time);
  const first = events[0]?.time ?? now;
  const span = Math.max(now - first, 1);
  return events
    .filter(({ type }, index) => type !== "learned" || index === 0)
    .map(({ type, ts, time }) => ({ type, ts, position: Math.min((time - first) / span, 1) }));
}
