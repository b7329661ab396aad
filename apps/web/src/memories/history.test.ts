import { expect, test } from "vitest";
import type { MemoryId, MemoryVersion } from "../api/types";
import { canUndo, versionLabel } from "./history";

const ID = "m1" as MemoryId;
const VERSION: MemoryVersion = {
  id: ID,
  kind: "user",
  text: "Lives in Oslo",
  category: "personal",
  confidence: 0.9,
  quote: null,
  source_thread: null,
  ts: "2026-11-20T10:00:00Z",
  version: "v1",
  retired_at: "2026-11-21T10:00:00Z",
  who: "user",
  why: "edited",
  by: ID,
};

test("an edit and a replacement can be undone", () => {
  expect(canUndo(ID, [VERSION])).toBe(true);
  expect(canUndo(ID, [{ ...VERSION, id: "m0" as MemoryId, why: "replaced" }])).toBe(true);
});

test("there is nothing to undo without a change, nor by another memory's", () => {
  expect(canUndo(ID, [])).toBe(false);
  expect(canUndo(ID, [{ ...VERSION, by: "m2" as MemoryId }])).toBe(false);
  expect(canUndo(ID, [{ ...VERSION, why: "undone" }])).toBe(false);
});

test("a version says how it went, and by whom", () => {
  expect(versionLabel(VERSION)).toContain("changed by you");
  const replaced = { ...VERSION, why: "replaced" } as const;
  expect(versionLabel({ ...replaced, who: "formation" })).toContain("what you said later");
  expect(versionLabel({ ...replaced, who: "user", retired_at: "" })).toBe("replaced by you");
});
