import { expect, test } from "vitest";
import type { Thread, ThreadId } from "../api/types";
import { groupByDay, NO_THREADS, threadsReducer, titleOf, type ThreadsAction } from "./threads";

const NOW = new Date(2026, 10, 20, 12);

function thread(id: string, updated_at = NOW.toISOString(), title: string | null = id): Thread {
  return { thread_id: id as ThreadId, title, created_at: updated_at, updated_at, temporary: false };
}

const play = (...actions: ThreadsAction[]) => actions.reduce(threadsReducer, NO_THREADS);
const ids = ({ items }: { items: readonly Thread[] }) => items.map((item) => item.thread_id);
const refreshed = (items: Thread[], next_cursor: string | null = null): ThreadsAction => ({
  type: "refreshed",
  page: { items, next_cursor },
});

test("a thread is listed from its first message on, first of all", () => {
  const begun = {
    type: "begun",
    thread: "new" as ThreadId,
    text: "I live in London.\nAnd more",
    now: NOW.toISOString(),
  } as const;
  const threads = play(refreshed([thread("old")]), begun);
  expect(ids(threads)).toEqual(["new", "old"]);
  expect(titleOf(threads.items[0])).toBe("I live in London.");
});

test("a long first message is cut between its words", () => {
  const text = "I am planning a trip to Oslo in December. How cold is it there?";
  const { items } = play({ type: "begun", thread: "a" as ThreadId, text, now: NOW.toISOString() });
  expect(titleOf(items[0])).toBe("I am planning a trip to Oslo in December. How cold is it…");
});

test("saying more in a thread moves it up and keeps its title", () => {
  const threads = play(refreshed([thread("a"), thread("b")]), {
    type: "begun",
    thread: "b" as ThreadId,
    text: "something else",
    now: NOW.toISOString(),
  });
  expect(ids(threads)).toEqual(["b", "a"]);
  expect(titleOf(threads.items[0])).toBe("b");
});

test("older pages are added once, and a refresh keeps them", () => {
  const threads = play(
    refreshed([thread("c"), thread("b")], "2"),
    { type: "continued", page: { items: [thread("b"), thread("a")], next_cursor: null } },
    refreshed([thread("d"), thread("c")], "2"),
  );
  expect(ids(threads)).toEqual(["d", "c", "b", "a"]);
  expect(threads.next).toBeNull();
});

test("a refresh that is the whole list drops what was deleted elsewhere", () => {
  expect(ids(play(refreshed([thread("a"), thread("b")]), refreshed([thread("b")])))).toEqual(["b"]);
});

test("renaming and removing touch one thread only", () => {
  const threads = play(
    refreshed([thread("a"), thread("b"), thread("c")]),
    { type: "renamed", thread: "b" as ThreadId, title: "Named" },
    { type: "removed", thread: "a" as ThreadId, forgotten: 0 },
  );
  expect(threads.items.map(titleOf)).toEqual(["Named", "c"]);
});

test.each([null, "", "  "])("a thread titled %j is a new thread", (title) => {
  expect(titleOf(thread("a", NOW.toISOString(), title))).toBe("New thread");
});

test("the list is parted by the reader's own days", () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
  const days = groupByDay(
    [
      thread("now", at(20, 0)),
      thread("late", at(19, 23)),
      thread("week", at(14, 9)),
      thread("old", at(1, 9)),
    ],
    NOW,
  );
  expect(days.map(({ label, threads }) => [label, threads.map((item) => item.title)])).toEqual([
    ["Today", ["now"]],
    ["Yesterday", ["late"]],
    ["Last seven days", ["week"]],
    ["Earlier", ["old"]],
  ]);
});

const found = (query: string, ...names: string[]): ThreadsAction => ({
  type: "found",
  query,
  page: {
    items: names.map((id) => ({ ...thread(id), snippet: `… ${query} …` })),
    next_cursor: null,
  },
});
const searched = (query: string): ThreadsAction => ({ type: "searched", query });
const foundIds = ({ search }: { search: { found: readonly Thread[] | null } }) =>
  search.found?.map((item) => item.thread_id);

test("a search shows what it finds, and leaves the list as it is", () => {
  const threads = play(refreshed([thread("a"), thread("b")]), searched("rain"), found("rain", "b"));
  expect(foundIds(threads)).toEqual(["b"]);
  expect(ids(threads)).toEqual(["a", "b"]);
});

test("what comes for words that are no longer looked for is passed over", () => {
  const searching = play(searched("rain"), found("rain", "b"), searched("rainbow"));
  expect(foundIds(threadsReducer(searching, found("rain", "c")))).toEqual(["b"]);
  expect(foundIds(threadsReducer(searching, searched("")))).toBeUndefined();
});

test("a thread that is renamed or deleted is so among what was found, too", () => {
  const threads = play(
    refreshed([thread("a"), thread("b")]),
    searched("x"),
    found("x", "a", "b"),
    { type: "renamed", thread: "b" as ThreadId, title: "Named" },
    { type: "removed", thread: "a" as ThreadId, forgotten: 0 },
  );
  expect(threads.search.found?.map(titleOf)).toEqual(["Named"]);
});

test.each([
  [0, "Deleted."],
  [1, "Deleted, and 1 memory forgotten."],
  [3, "Deleted, and 3 memories forgotten."],
])("a thread that taught %i of what is forgotten says so when it goes", (forgotten, notice) => {
  const gone = play(refreshed([thread("a")]), {
    type: "removed",
    thread: "a" as ThreadId,
    forgotten,
  });
  expect(gone.notice).toBe(notice);
});
