import { expect, test } from "vitest";
import type { MemoryId, RecalledMemory } from "../api/types";
import { en } from "../strings/en";
import { groupByUse, recallLabel } from "./recall";

function memory(id: string, why: RecalledMemory["why"]): RecalledMemory {
  const ts = "2026-11-20T10:00:00Z";
  return { id: id as MemoryId, kind: "user", text: id, score: null, source_thread: "", ts, why };
}

const RECALLED = [memory("a", "recalled"), memory("b", "recalled")];
const STANDING = [memory("x", "standing"), memory("y", "standing"), memory("z", "standing")];

const NONE = new Set<RecalledMemory>();

test("memories are grouped by whether they were recalled or quoted, in order", () => {
  const mixed = [STANDING[0]!, RECALLED[0]!, STANDING[1]!, RECALLED[1]!, STANDING[2]!];
  expect(groupByUse(mixed, NONE)).toEqual({ used: RECALLED, standing: STANDING });
  expect(groupByUse(mixed, new Set([STANDING[1]!, RECALLED[1]!]))).toEqual({
    used: [RECALLED[0], STANDING[1], RECALLED[1]],
    standing: [STANDING[0], STANDING[2]],
  });
});

test("the memories of an earlier version's run, which lack the reason, are recalled ones", () => {
  const { why, ...earlier } = memory("a", "recalled");
  expect(groupByUse([earlier as RecalledMemory], NONE).used).toHaveLength(1);
  expect(why).toBe("recalled");
});

test("the label counts recalled and quoted memories, and all standing ones only if there are none", () => {
  const label = (...memories: RecalledMemory[]) =>
    recallLabel(en.recall, groupByUse(memories, NONE));
  expect(label(...RECALLED, ...STANDING)).toBe("2 memories used");
  expect(label(RECALLED[0]!, ...STANDING)).toBe("1 memory used");
  expect(label(...STANDING)).toBe("3 memories included");
  const quoted = new Set(STANDING.slice(1));
  expect(recallLabel(en.recall, groupByUse([...RECALLED, ...STANDING], quoted))).toBe(
    "4 memories used",
  );
});
