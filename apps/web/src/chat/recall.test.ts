import { expect, test } from "vitest";
import type { MemoryId, RecalledMemory } from "../api/types";
import { en } from "../strings/en";
import { groupByWhy, recallLabel } from "./recall";

function memory(id: string, why: RecalledMemory["why"]): RecalledMemory {
  const ts = "2026-11-20T10:00:00Z";
  return { id: id as MemoryId, kind: "user", text: id, score: null, source_thread: "", ts, why };
}

const RECALLED = [memory("a", "recalled"), memory("b", "recalled")];
const STANDING = [memory("x", "standing"), memory("y", "standing"), memory("z", "standing")];

test("memories are grouped by why the model received them, in order", () => {
  const mixed = [STANDING[0]!, RECALLED[0]!, STANDING[1]!, RECALLED[1]!, STANDING[2]!];
  expect(groupByWhy(mixed)).toEqual({ recalled: RECALLED, standing: STANDING });
});

test("the memories of an earlier version's run, which lack the reason, are recalled ones", () => {
  const { why, ...earlier } = memory("a", "recalled");
  expect(groupByWhy([earlier as RecalledMemory]).recalled).toHaveLength(1);
  expect(why).toBe("recalled");
});

test("the label counts recalled memories, and standing ones only if nothing was recalled", () => {
  const label = (...memories: RecalledMemory[]) => recallLabel(en.recall, groupByWhy(memories));
  expect(label(...RECALLED, ...STANDING)).toBe("2 memories used");
  expect(label(RECALLED[0]!, ...STANDING)).toBe("1 memory used");
  expect(label(...STANDING)).toBe("3 memories included");
});
