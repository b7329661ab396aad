import { expect, test } from "vitest";
import type { ChangedMemory, MemoryChange, MemoryId, MessageId, ThreadId } from "../api/types";
import { chipsOf, mergeChanges } from "./chips";

const memory = (id: string, text: string | null, kind: ChangedMemory["kind"] = "user") =>
  ({ id: id as MemoryId, kind, text, category: "personal" }) as ChangedMemory;
const OSLO = memory("oslo", "Lives in Oslo");
const YORK = memory("york", "Lives in York");
const Q1 = "q1" as MessageId;
const Q2 = "q2" as MessageId;

let position = 8;
const change = (
  type: MemoryChange["type"],
  changed: ChangedMemory | null,
  more: Partial<MemoryChange> = {},
): MemoryChange => ({
  id: String(position++),
  type,
  memory: changed,
  replaced: null,
  why: "stated",
  thread: "t1" as ThreadId,
  message: Q1,
  ts: "2026-11-22T09:30:00Z",
  ...more,
});
const ADDED = change("memory.added", OSLO);
const REPLACED = change("memory.replaced", YORK, { replaced: OSLO, message: Q2, why: "replaced" });
const labels = (...changes: MemoryChange[]) =>
  Object.fromEntries(
    [...chipsOf(changes)].map(([message, chips]) => [
      message,
      chips.map(({ type, from, text, undoable }) =>
        [type, from, text, undoable ? "undoable" : null].filter(Boolean).join(" · "),
      ),
    ]),
  );

test("the message that stated a memory has a chip", () => {
  expect(labels(ADDED)).toEqual({ q1: ["remembered · Lives in Oslo · undoable"] });
});

test("a change shows both texts at the newer message and closes the older chip", () => {
  expect(labels(ADDED, REPLACED)).toEqual({
    q1: ["remembered · Lives in Oslo"],
    q2: ["changed · Lives in Oslo · Lives in York · undoable"],
  });
});

test("undoing a change restores the older chip", () => {
  const restored = change("memory.restored", OSLO, { replaced: YORK, why: "undone" });
  expect(labels(ADDED, REPLACED, restored)).toEqual({
    q1: ["remembered · Lives in Oslo · undoable"],
  });
});

test("an undone memory has no chip", () => {
  expect(labels(ADDED, change("memory.retired", OSLO, { why: "undone" }))).toEqual({});
});

test("a forgotten memory says so, without text if it was deleted permanently", () => {
  const forgotten = change("memory.forgotten", OSLO, { why: "forgotten" });
  expect(labels(ADDED, forgotten)).toEqual({ q1: ["forgotten · Lives in Oslo · undoable"] });
  const deleted = change("memory.forgotten", memory("oslo", null), { why: "forgotten" });
  expect(labels(ADDED, deleted)).toEqual({});
});

test("episodes and entered memories have no chips", () => {
  const episode = memory("e", "User said hello", "episodic");
  const alsoReplaced = change("memory.replaced", YORK, { replaced: episode, message: Q2 });
  expect(labels(ADDED, REPLACED, alsoReplaced)).toEqual(labels(ADDED, REPLACED));
  expect(labels(change("memory.added", memory("e", "User said hello", "episodic")))).toEqual({});
  expect(labels(change("memory.added", OSLO, { message: "", why: "entered" }))).toEqual({});
});

test("forgetting everything removes all chips", () => {
  expect(labels(ADDED, change("memory.forgotten", null))).toEqual({});
});

test("changes are merged once, by number", () => {
  const nine = change("memory.added", OSLO, { id: "9" });
  const ten = change("memory.added", YORK, { id: "10" });
  expect(mergeChanges([ten], [nine, ten]).map(({ id }) => id)).toEqual(["9", "10"]);
});
