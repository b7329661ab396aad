import { expect, test } from "vitest";
import type { MemoryChange } from "../api/types";
import { groupByWeek } from "./timelineWeeks";

const change = (ts: Date, id: string) => ({ id, ts: ts.toISOString() }) as MemoryChange;
const NOW = new Date(2026, 10, 25, 12); // a Wednesday

test("changes are grouped by week, starting on Monday, newest first", () => {
  const weeks = groupByWeek(
    [
      change(NOW, "wednesday"),
      change(new Date(2026, 10, 23, 0, 1), "monday"),
      change(new Date(2026, 10, 22, 23), "sunday"),
      change(new Date(2026, 9, 1), "october"),
    ],
    NOW,
  );
  expect(weeks.map(({ ago, changes }) => [ago, changes.map(({ id }) => id)])).toEqual([
    [0, ["wednesday", "monday"]],
    [1, ["sunday"]],
    [8, ["october"]],
  ]);
});
