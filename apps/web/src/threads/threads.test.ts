import { expect, test } from "vitest";
import type { ListedThread, ThreadId } from "../api/types";
import {
  groupByDate,
  INITIAL_THREADS,
  threadsReducer,
  threadTitle,
  type ThreadsAction,
} from "./threads";

const NOW = new Date(2026, 10, 20, 12);

function thread(id: string, updated_at = NOW.toISOString(), title = id): ListedThread {
  const flags = { temporary: false, pinned: false, archived: false };
  return { thread_id: id as ThreadId, title, created_at: updated_at, updated_at, ...flags };
}

const reduce = (...actions: ThreadsAction[]) => actions.reduce(threadsReducer, INITIAL_THREADS);
const ids = ({ items }: { items: readonly ListedThread[] }) => items.map((item) => item.thread_id);
const refreshed = (items: ListedThread[], next_cursor: string | null = null): ThreadsAction => ({
  type: "refreshed",
  page: { items, next_cursor },
});

const sent = (id: string, text: string, branches: readonly string[] = []): ThreadsAction => ({
  type: "messageSent",
  sent: {
    thread: id as ThreadId,
    text,
    branches: branches as readonly ThreadId[],
    now: NOW.toISOString(),
  },
});

test("a new thread is listed first as soon as its first message is sent", () => {
  const threads = reduce(refreshed([thread("old")]), sent("new", "I live in London.\nAnd more"));
  expect(ids(threads)).toEqual(["new", "old"]);
  expect(threadTitle(threads.items[0], "New thread")).toBe("I live in London.");
});

test("a long first message is cut at a word boundary", () => {
  const text = "I am planning a trip to Oslo in December. How cold is it there?";
  const { items } = reduce(sent("a", text));
  expect(threadTitle(items[0], "")).toBe(
    "I am planning a trip to Oslo in December. How cold is it…",
  );
});

test("a further message moves the thread to the top and keeps its title", () => {
  const threads = reduce(refreshed([thread("a"), thread("b")]), sent("b", "something else"));
  expect(ids(threads)).toEqual(["b", "a"]);
  expect(threadTitle(threads.items[0], "New thread")).toBe("b");
});

test("a branch takes the place of its conversation in the list", () => {
  const threads = reduce(
    refreshed([thread("a"), thread("b")]),
    sent("branch", "something else", ["b", "other"]),
  );
  expect(ids(threads)).toEqual(["branch", "a"]);
  expect(threadTitle(threads.items[0], "New thread")).toBe("b");
});

test("older pages are added without duplicates and kept by a refresh", () => {
  const threads = reduce(
    refreshed([thread("c"), thread("b")], "2"),
    { type: "pageAdded", page: { items: [thread("b"), thread("a")], next_cursor: null } },
    refreshed([thread("d"), thread("c")], "2"),
  );
  expect(ids(threads)).toEqual(["d", "c", "b", "a"]);
  expect(threads.cursor).toBeNull();
});

test("a complete refresh removes threads that were deleted elsewhere", () => {
  expect(ids(reduce(refreshed([thread("a"), thread("b")]), refreshed([thread("b")])))).toEqual([
    "b",
  ]);
});

test("renaming and removing change one thread only", () => {
  const threads = reduce(
    refreshed([thread("a"), thread("b"), thread("c")]),
    { type: "updated", thread: "b" as ThreadId, changes: { title: "Named" } },
    { type: "removed", thread: "a" as ThreadId },
  );
  expect(threads.items.map((item) => threadTitle(item, ""))).toEqual(["Named", "c"]);
});

test.each(["", "  "])("a thread with the title %j is shown as a new thread", (title) => {
  expect(threadTitle(thread("a", NOW.toISOString(), title), "New thread")).toBe("New thread");
});

test("threads are grouped by local date", () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
  const groups = groupByDate(
    [
      thread("now", at(20, 0)),
      thread("late", at(19, 23)),
      thread("week", at(14, 9)),
      thread("old", at(1, 9)),
    ],
    NOW,
  );
  expect(groups.map(({ label, threads }) => [label, threads.map((item) => item.title)])).toEqual([
    ["today", ["now"]],
    ["yesterday", ["late"]],
    ["week", ["week"]],
    ["older", ["old"]],
  ]);
});

const resultsLoaded = (query: string, ...names: string[]): ThreadsAction => ({
  type: "resultsLoaded",
  query,
  page: {
    items: names.map((id) => ({ ...thread(id), snippet: `… ${query} …` })),
    next_cursor: null,
  },
});
const queryChanged = (query: string): ThreadsAction => ({ type: "queryChanged", query });
const resultIds = ({ search }: { search: { results: readonly ListedThread[] | null } }) =>
  search.results?.map((item) => item.thread_id);

test("a search shows its results and does not change the list", () => {
  const threads = reduce(
    refreshed([thread("a"), thread("b")]),
    queryChanged("rain"),
    resultsLoaded("rain", "b"),
  );
  expect(resultIds(threads)).toEqual(["b"]);
  expect(ids(threads)).toEqual(["a", "b"]);
});

test("results of an outdated query are ignored", () => {
  const searching = reduce(
    queryChanged("rain"),
    resultsLoaded("rain", "b"),
    queryChanged("rainbow"),
  );
  expect(resultIds(threadsReducer(searching, resultsLoaded("rain", "c")))).toEqual(["b"]);
  expect(resultIds(threadsReducer(searching, queryChanged("")))).toBeUndefined();
});

test("renaming and deleting a thread also update the search results", () => {
  const threads = reduce(
    refreshed([thread("a"), thread("b")]),
    queryChanged("x"),
    resultsLoaded("x", "a", "b"),
    { type: "updated", thread: "b" as ThreadId, changes: { title: "Named" } },
    { type: "removed", thread: "a" as ThreadId },
  );
  expect(threads.search.results?.map((item) => threadTitle(item, ""))).toEqual(["Named"]);
});

test("pinned threads are listed before all others", () => {
  const pinned = { ...thread("a", new Date(2026, 1, 1).toISOString()), pinned: true };
  const groups = groupByDate([thread("b"), pinned], NOW);
  expect(groups.map(({ label, threads }) => [label, threads[0]?.thread_id])).toEqual([
    ["pinned", "a"],
    ["today", "b"],
  ]);
});
