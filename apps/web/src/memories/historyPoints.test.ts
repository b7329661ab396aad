import { expect, test } from "vitest";
import type { Memory, MemoryVersion } from "../api/types";
import { historyPoints } from "./historyPoints";

const day = (number: number) => new Date(Date.UTC(2026, 10, number)).toISOString();
const memory = { ts: day(11), last_seen: day(16), confirmed: 2 } as Memory;
const version = { ts: day(1), retired_at: day(11) } as MemoryVersion;

test("the line shows when a memory was learned, changed and confirmed, up to now", () => {
  expect(historyPoints(memory, [version], new Date(day(21)).getTime())).toEqual([
    { type: "learned", ts: day(1), position: 0 },
    { type: "changed", ts: day(11), position: 0.5 },
    { type: "confirmed", ts: day(16), position: 0.75 },
  ]);
});

test("a memory without changes has one point", () => {
  const points = historyPoints({ ...memory, confirmed: 1 }, [], new Date(day(21)).getTime());
  expect(points.map(({ type }) => type)).toEqual(["learned"]);
});
