import { expect, test } from "vitest";
import type { Memory, MemoryId } from "../api/types";
import {
  currentProblem,
  INITIAL_MEMORIES,
  isAlwaysIncluded,
  memoriesReducer,
  type MemoriesAction,
} from "./memories";

function memory(id: string, text = id): Memory {
  return {
    id: id as MemoryId,
    kind: "user",
    text,
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
  };
}

const reduce = (...actions: MemoriesAction[]) => actions.reduce(memoriesReducer, INITIAL_MEMORIES);
const listed = (...ids: string[]): MemoriesAction => ({
  type: "listed",
  page: { items: ids.map((id) => memory(id)), next_cursor: "next" },
});
const texts = (...actions: MemoriesAction[]) => reduce(...actions).items.map(({ text }) => text);

test("an added memory is first in the list and not duplicated", () => {
  expect(texts(listed("a", "b"), { type: "added", memory: memory("b") })).toEqual(["b", "a"]);
});

test("an edited memory keeps its position, also with a new id", () => {
  const edited: MemoriesAction = {
    type: "edited",
    id: "a" as MemoryId,
    memory: memory("z", "new"),
  };
  expect(texts(listed("a", "b"), edited)).toEqual(["new", "b"]);
});

test("pinning changes one memory in place", () => {
  const pin: MemoriesAction = { type: "pinChanged", id: "b" as MemoryId, pinned: true };
  const { items, revision } = reduce(listed("a", "b"), pin);
  expect(items).toEqual([memory("a"), { ...memory("b"), pinned: true }]);
  expect(revision).toBe(0);
});

test("instructions, standing facts and pinned memories are always included", () => {
  expect(isAlwaysIncluded(memory("a"))).toBe(false);
  expect(isAlwaysIncluded({ ...memory("a"), standing: true })).toBe(true);
  expect(isAlwaysIncluded({ ...memory("a"), kind: "episodic", pinned: true })).toBe(true);
  expect(isAlwaysIncluded({ ...memory("a"), kind: "procedural" })).toBe(true);
});

test("a deleted memory is removed from the list", () => {
  expect(texts(listed("a", "b"), { type: "removed", id: "a" as MemoryId })).toEqual(["b"]);
});

test("deleting a fact also removes the conversations from the same messages", () => {
  const source = { thread: "t", message: "m1", quote: "I live in Oslo", ts: "" };
  const fact = { ...memory("fact"), sources: [source] };
  const conversation = { ...memory("talk"), kind: "episodic", sources: [source] } as const;
  const other = { ...memory("other"), sources: [source] };
  const page = { items: [fact, conversation, other], next_cursor: null };
  const removed: MemoriesAction = { type: "removed", id: fact.id };
  const listing: MemoriesAction = { type: "listed", page };
  expect(texts(listing, removed)).toEqual(["other"]);
  expect(texts(listing, removed, listing)).toEqual(["other"]);
  const undone: MemoriesAction = { type: "removalUndone", id: fact.id, items: page.items };
  expect(texts(listing, removed, undone, listing)).toEqual(["fact", "talk", "other"]);
});

test("the next page is appended", () => {
  const more: MemoriesAction = {
    type: "pageAdded",
    page: { items: [memory("c")], next_cursor: null },
  };
  const memories = reduce(listed("a", "b"), more);
  expect(memories.items).toHaveLength(3);
  expect(memories.cursor).toBeNull();
});

test("a problem is shown until it is dismissed; the list is kept", () => {
  const problem = { code: "x", title: "No.", detail: "" };
  const failed = reduce(listed("a"), { type: "failed", problem });
  expect(failed).toMatchObject({ problem, state: "ready" });
  expect(failed.items).toHaveLength(1);
  expect(memoriesReducer(failed, { type: "problemDismissed" }).problem).toBeNull();
});

test("reloading the list keeps the problem of an action, and clears that of loading", () => {
  const problem = { code: "x", title: "No.", detail: "" };
  const reload: MemoriesAction = { type: "listed", page: { items: [], next_cursor: null } };
  const failed = reduce(listed("a"), { type: "failed", problem });
  expect(currentProblem(memoriesReducer(failed, reload))).toBe(problem);
  const unloaded = reduce(listed("a"), { type: "loadFailed", problem });
  expect(currentProblem(unloaded)).toBe(problem);
  expect(currentProblem(memoriesReducer(unloaded, reload))).toBeNull();
});

test("undo replaces the memory in place, or removes it", () => {
  const id = "a" as MemoryId;
  expect(texts(listed("a", "b"), { type: "undone", id, memory: memory("z", "before") })).toEqual([
    "before",
    "b",
  ]);
  expect(texts(listed("a", "b"), { type: "undone", id, memory: null })).toEqual(["b"]);
});

test("deleting all memories empties the list", () => {
  const memories = reduce(listed("a", "b"), { type: "allRemoved" });
  expect(memories).toMatchObject({ items: [], cursor: null });
});
