import { expect, test } from "vitest";
import type { MemoryId, MemoryVersion } from "../api/types";
import { en } from "../strings/en";
import { createFormat } from "../strings/format";
import { canUndo, versionLabel } from "./history";

const label = (version: MemoryVersion) => versionLabel(en, createFormat("en"), version);
const ID = "m1" as MemoryId;
const VERSION: MemoryVersion = {
  id: ID,
  kind: "user",
  text: "Lives in Oslo",
  category: "personal",
  confidence: 0.9,
  standing: false,
  pinned: false,
  until: null,
  reported_by: null,
  confirmed: 1,
  sources: [],
  quote: null,
  source_thread: "",
  source_message: null,
  last_seen: "2026-11-20T10:00:00Z",
  ts: "2026-11-20T10:00:00Z",
  version: "v1",
  retired_at: "2026-11-21T10:00:00Z",
  who: "user",
  why: "edited",
  by: ID,
};

test("edits and replacements can be undone", () => {
  expect(canUndo(ID, [VERSION])).toBe(true);
  expect(canUndo(ID, [{ ...VERSION, id: "m0" as MemoryId, why: "replaced" }])).toBe(true);
});

test("undo needs a change of this memory", () => {
  expect(canUndo(ID, [])).toBe(false);
  expect(canUndo(ID, [{ ...VERSION, by: "m2" as MemoryId }])).toBe(false);
  expect(canUndo(ID, [{ ...VERSION, why: "undone" }])).toBe(false);
});

test("a version label contains the reason and the actor", () => {
  expect(label(VERSION)).toContain("edited by you");
  const replaced = { ...VERSION, why: "replaced" } as const;
  expect(label({ ...replaced, who: "formation" })).toContain("a later message");
  expect(label({ ...replaced, who: "user", retired_at: "" })).toBe("replaced by you");
});
