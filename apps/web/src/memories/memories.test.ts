import { expect, test } from "vitest";
import type { Memory, MemoryId } from "../api/types";
import { memoriesReducer, NO_MEMORIES, summary, type MemoriesAction } from "./memories";

function memory(id: string, text = id): Memory {
  return {
    id: id as MemoryId,
    kind: "user",
    text,
    category: "personal",
    confidence: 0.9,
    quote: null,
    source_thread: null,
    ts: "2026-11-20T10:00:00Z",
  };
}

const play = (...actions: MemoriesAction[]) => actions.reduce(memoriesReducer, NO_MEMORIES);
const listed = (...ids: string[]): MemoriesAction => ({
  type: "listed",
  page: { items: ids.map((id) => memory(id)), next_cursor: "next" },
});
const texts = (...actions: MemoriesAction[]) => play(...actions).items.map(({ text }) => text);

test("a memory added by hand is first, and there once", () => {
  expect(texts(listed("a", "b"), { type: "added", memory: memory("b") })).toEqual(["b", "a"]);
});

test("an edited memory stays in its place, also under a new id", () => {
  const edited: MemoriesAction = {
    type: "edited",
    old: "a" as MemoryId,
    memory: memory("z", "new"),
  };
  expect(texts(listed("a", "b"), edited)).toEqual(["new", "b"]);
});

test("a deleted memory is gone", () => {
  expect(texts(listed("a", "b"), { type: "removed", memory: "a" as MemoryId })).toEqual(["b"]);
});

test("more of the same filter comes after what is shown", () => {
  const more: MemoriesAction = {
    type: "continued",
    page: { items: [memory("c")], next_cursor: null },
  };
  const memories = play(listed("a", "b"), more);
  expect(memories.items).toHaveLength(3);
  expect(memories.next).toBeNull();
});

test("what failed is shown until it is put away, and loses nothing", () => {
  const problem = { code: "x", title: "No.", detail: null };
  const failed = play(listed("a"), { type: "failed", problem });
  expect(failed).toMatchObject({ problem, state: "ready" });
  expect(failed.items).toHaveLength(1);
  expect(memoriesReducer(failed, { type: "dismissed" }).problem).toBeNull();
});

test("distilling says what it did", () => {
  const nothing = { added: 0, replaced: 0, confirmed: 0, rejected: 0, episodes: 0 };
  expect(summary({ ...nothing, added: 2, episodes: 1 })).toBe("Distilled: 2 added, 1 episode.");
  expect(summary(nothing)).toBe("Nothing new to distil.");
});

test("what undo brings back stands where the memory stood, or nothing does", () => {
  const old = "a" as MemoryId;
  expect(texts(listed("a", "b"), { type: "undone", old, memory: memory("z", "before") })).toEqual([
    "before",
    "b",
  ]);
  expect(texts(listed("a", "b"), { type: "undone", old, memory: null })).toEqual(["b"]);
});

test("when everything is forgotten nothing is shown, and the memories are counted", () => {
  const deleted = { user: 2, episodic: 1, retired: 9, inbox: 4, profile: 1 };
  const memories = play(listed("a", "b"), { type: "emptied", deleted });
  expect(memories).toMatchObject({ items: [], next: null });
  expect(memories.notice).toBe("Everything is forgotten: 3 memories.");
});
