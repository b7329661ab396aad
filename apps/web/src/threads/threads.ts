import type { Problem } from "../api/problem";
import type { Page, Thread, ThreadId } from "../api/types";

/** The list of threads: the newest first, `next` leads to older ones. */
export type Threads = {
  readonly items: readonly Thread[];
  readonly next: string | null;
  readonly loaded: boolean;
  readonly search: Search;
  readonly problem: Problem | null;
  /** What was last done, for the eye and for a screen reader. */
  readonly notice: string;
};

/** What is looked for in threads; nothing while there are no words. */
export type Search = {
  readonly query: string;
  /** Null until they are here. */
  readonly found: readonly Thread[] | null;
  readonly next: string | null;
};

export type ThreadsAction =
  | { type: "refreshed"; page: Page<Thread> }
  | { type: "continued"; page: Page<Thread> }
  | { type: "begun"; thread: ThreadId; text: string; now: string }
  | { type: "renamed"; thread: ThreadId; title: string }
  | { type: "removed"; thread: ThreadId; forgotten: number }
  | { type: "searched"; query: string }
  | { type: "found"; query: string; page: Page<Thread> }
  | { type: "foundMore"; query: string; page: Page<Thread> }
  | { type: "failed"; problem: Problem }
  | { type: "dismissed" };

export type Shown = { readonly days: readonly Day[]; readonly next: string | null };
export type Day = { readonly label: string; readonly threads: readonly Thread[] };

export const NO_SEARCH: Search = { query: "", found: null, next: null };

export const NO_THREADS: Threads = {
  items: [],
  next: null,
  loaded: false,
  search: NO_SEARCH,
  problem: null,
  notice: "",
};

const TITLE_CHARS = 60;
const DAY_MS = 86_400_000;

export function threadsReducer(threads: Threads, action: ThreadsAction): Threads {
  const { items, search } = threads;
  switch (action.type) {
    case "refreshed":
      return refresh(threads, action.page);
    case "continued":
      return { ...threads, items: merge(items, action.page.items), next: action.page.next_cursor };
    case "begun":
      return {
        ...threads,
        items: begin(items, action.thread, action.text, action.now),
        notice: "",
      };
    case "renamed":
      return everywhere(threads, (list) => rename(list, action.thread, action.title));
    case "removed":
      return {
        ...everywhere(threads, (list) => without(list, action.thread)),
        notice: receipt(action.forgotten),
      };
    case "searched":
      return { ...threads, search: searchFor(search, action.query), notice: "" };
    case "found":
      return { ...threads, search: find(search, action.query, action.page), problem: null };
    case "foundMore": {
      const found = merge(search.found ?? [], action.page.items);
      return {
        ...threads,
        search: find(search, action.query, { ...action.page, items: found }),
      };
    }
    case "failed":
      return { ...threads, loaded: true, problem: action.problem };
    case "dismissed":
      return { ...threads, problem: null };
  }
}

/** What a thread is called in the list. */
export function titleOf(thread: Thread | undefined): string {
  return thread?.title?.trim() || "New thread";
}

/** What the list shows: what was searched for, or else everything, by day. */
export function shownThreads({ items, next, search }: Threads, now: Date): Shown {
  if (!isSearching(search)) return { days: groupByDay(items, now), next };
  return { days: groupByDay(search.found ?? [], now), next: search.next };
}

export function isSearching({ query }: Search): boolean {
  return query.trim() !== "";
}

/** Parts the list where a reader would: today, yesterday, this week, before. Empty parts are left out. */
export function groupByDay(threads: readonly Thread[], now: Date): readonly Day[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const labels: readonly [label: string, since: number][] = [
    ["Today", midnight],
    ["Yesterday", midnight - DAY_MS],
    ["Last seven days", midnight - 7 * DAY_MS],
    ["Earlier", -Infinity],
  ];
  const labelOf = ({ updated_at }: Thread) =>
    labels.find(([, since]) => new Date(updated_at).getTime() >= since)?.[0];
  return labels
    .map(([label]) => ({ label, threads: threads.filter((thread) => labelOf(thread) === label) }))
    .filter((day) => day.threads.length > 0);
}

function refresh(threads: Threads, page: Page<Thread>): Threads {
  const whole = page.next_cursor === null;
  return {
    ...threads,
    items: whole ? page.items : merge(page.items, threads.items),
    next: threads.loaded && !whole ? threads.next : page.next_cursor,
    loaded: true,
    problem: null,
  };
}

function searchFor(search: Search, query: string): Search {
  return isSearching({ ...search, query }) ? { ...search, query } : { ...NO_SEARCH, query };
}

/** What comes for words that are no longer looked for is too late. */
function find(search: Search, query: string, { items, next_cursor }: Page<Thread>): Search {
  return query === search.query ? { query, found: items, next: next_cursor } : search;
}

function merge(first: readonly Thread[], then: readonly Thread[]): readonly Thread[] {
  const known = new Set(first.map((thread) => thread.thread_id));
  return [...first, ...then.filter((thread) => !known.has(thread.thread_id))];
}

function begin(items: readonly Thread[], thread_id: ThreadId, text: string, now: string) {
  const known = items.find((item) => item.thread_id === thread_id);
  const title = firstWords(text);
  const thread = known ?? { thread_id, title, created_at: now, updated_at: now, temporary: false };
  return merge([{ ...thread, updated_at: now }], items);
}

/** As many whole words of the first line as a title has, like the gateway's own. */
function firstWords(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  if (line.length <= TITLE_CHARS) return line;
  const cut = line.slice(0, TITLE_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 0)) || cut}…`;
}

type Change = (list: readonly Thread[]) => readonly Thread[];

function everywhere(threads: Threads, change: Change): Threads {
  const { items, search } = threads;
  return {
    ...threads,
    items: change(items),
    search: { ...search, found: search.found && change(search.found) },
  };
}

function rename(list: readonly Thread[], thread: ThreadId, title: string) {
  return list.map((item) => (item.thread_id === thread ? { ...item, title } : item));
}

function without(list: readonly Thread[], thread: ThreadId) {
  return list.filter((item) => item.thread_id !== thread);
}

function receipt(forgotten: number): string {
  if (forgotten === 0) return "Deleted.";
  return forgotten === 1
    ? "Deleted, and 1 memory forgotten."
    : `Deleted, and ${forgotten} memories forgotten.`;
}
