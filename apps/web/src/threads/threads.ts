import type { ListedThread, Page, Problem, ThreadId, ThreadUpdate } from "../api/types";

/** The state of the thread list, newest first; `cursor` is the start of the next page. */
export type Threads = {
  readonly items: readonly ListedThread[];
  readonly cursor: string | null;
  readonly loaded: boolean;
  readonly search: ThreadSearch;
  readonly problem: Problem | null;
};

/** A search is active while `query` is not blank. */
export type ThreadSearch = {
  readonly query: string;
  /** Null until the first results arrive. */
  readonly results: readonly ListedThread[] | null;
  readonly cursor: string | null;
};

export type ThreadsAction =
  | { type: "refreshed"; page: Page<ListedThread> }
  | { type: "pageAdded"; page: Page<ListedThread> }
  | { type: "messageSent"; sent: SentMessage }
  | { type: "updated"; thread: ThreadId; changes: ThreadUpdate }
  | { type: "removed"; thread: ThreadId }
  | { type: "queryChanged"; query: string }
  | { type: "resultsLoaded"; query: string; page: Page<ListedThread> }
  | { type: "resultsAdded"; query: string; page: Page<ListedThread> }
  | { type: "failed"; problem: Problem }
  | { type: "problemDismissed" };

export type SentMessage = {
  readonly thread: ThreadId;
  readonly text: string;
  /** The threads of the same conversation, of which one is listed. */
  readonly branches: readonly ThreadId[];
  readonly now: string;
};

export type VisibleThreads = {
  readonly groups: readonly ThreadGroup[];
  readonly cursor: string | null;
};
export type ThreadGroup = { readonly label: GroupLabel; readonly threads: readonly ListedThread[] };

type GroupLabel = "pinned" | "today" | "yesterday" | "week" | "older";

export const NO_SEARCH: ThreadSearch = { query: "", results: null, cursor: null };

export const INITIAL_THREADS: Threads = {
  items: [],
  cursor: null,
  loaded: false,
  search: NO_SEARCH,
  problem: null,
};

const NEW_THREAD = { temporary: false, pinned: false, archived: false };

const MAX_TITLE_CHARS = 60;
const DAY_MS = 86_400_000;

export function threadsReducer(threads: Threads, action: ThreadsAction): Threads {
  const { items, search } = threads;
  switch (action.type) {
    case "refreshed":
      return refresh(threads, action.page);
    case "pageAdded": {
      const { items: more, next_cursor: cursor } = action.page;
      return { ...threads, items: merge(items, more), cursor };
    }
    case "messageSent":
      return { ...threads, items: moveToTop(items, action.sent) };
    case "updated":
      return updateLists(threads, (list) => update(list, action.thread, action.changes));
    case "removed":
      return updateLists(threads, (list) => without(list, action.thread));
    case "queryChanged":
      return { ...threads, search: setQuery(search, action.query) };
    case "resultsLoaded":
      return { ...threads, search: setResults(search, action.query, action.page), problem: null };
    case "resultsAdded": {
      const results = merge(search.results ?? [], action.page.items);
      return {
        ...threads,
        search: setResults(search, action.query, { ...action.page, items: results }),
      };
    }
    case "failed":
      return { ...threads, loaded: true, problem: action.problem };
    case "problemDismissed":
      return { ...threads, problem: null };
  }
}

/** The title of a thread, or `untitled` if it has none. */
export function threadTitle(thread: ListedThread | undefined, untitled: string): string {
  return thread?.title.trim() || untitled;
}

/** The search results, or all threads if no search is active, grouped by date; pinned ones are first. */
export function visibleThreads({ items, cursor, search }: Threads, now: Date): VisibleThreads {
  if (!isSearching(search)) return { groups: groupByDate(items, now), cursor };
  return { groups: groupByDate(search.results ?? [], now), cursor: search.cursor };
}

export function isSearching({ query }: ThreadSearch): boolean {
  return query.trim() !== "";
}

/** Group threads by their last update in local time, after the pinned ones; empty groups are omitted. */
export function groupByDate(threads: readonly ListedThread[], now: Date): readonly ThreadGroup[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const groups: readonly [label: GroupLabel, since: number][] = [
    ["today", midnight],
    ["yesterday", midnight - DAY_MS],
    ["week", midnight - 7 * DAY_MS],
    ["older", -Infinity],
  ];
  const labelOf = ({ pinned, updated_at }: ListedThread) =>
    pinned ? "pinned" : groups.find(([, since]) => new Date(updated_at).getTime() >= since)?.[0];
  return (["pinned", ...groups.map(([label]) => label)] as const)
    .map((label) => ({ label, threads: threads.filter((thread) => labelOf(thread) === label) }))
    .filter((group) => group.threads.length > 0);
}

function refresh(threads: Threads, page: Page<ListedThread>): Threads {
  const complete = page.next_cursor === null;
  return {
    ...threads,
    items: complete ? page.items : merge(page.items, threads.items),
    cursor: threads.loaded && !complete ? threads.cursor : page.next_cursor,
    loaded: true,
    problem: null,
  };
}

function setQuery(search: ThreadSearch, query: string): ThreadSearch {
  return isSearching({ ...search, query }) ? { ...search, query } : { ...NO_SEARCH, query };
}

/** Results of an outdated query are ignored. */
function setResults(search: ThreadSearch, query: string, page: Page<ListedThread>): ThreadSearch {
  if (query !== search.query) return search;
  return { query, results: page.items, cursor: page.next_cursor };
}

function merge(
  first: readonly ListedThread[],
  second: readonly ListedThread[],
): readonly ListedThread[] {
  const ids = new Set(first.map((thread) => thread.thread_id));
  return [...first, ...second.filter((thread) => !ids.has(thread.thread_id))];
}

/** Of the branches of a conversation, the one used last is listed. */
function moveToTop(items: readonly ListedThread[], { thread, text, branches, now }: SentMessage) {
  const isBranch = ({ thread_id }: ListedThread) =>
    thread_id === thread || branches.includes(thread_id);
  const listed = items.find(isBranch) ?? {
    ...NEW_THREAD,
    title: provisionalTitle(text),
    created_at: now,
  };
  const top = { ...listed, thread_id: thread, updated_at: now };
  return [top, ...items.filter((item) => !isBranch(item))];
}

/** The start of the first line, cut at a word boundary like the gateway's titles. */
function provisionalTitle(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  if (line.length <= MAX_TITLE_CHARS) return line;
  const cut = line.slice(0, MAX_TITLE_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 0)) || cut}…`;
}

type ListUpdate = (list: readonly ListedThread[]) => readonly ListedThread[];

function updateLists(threads: Threads, update: ListUpdate): Threads {
  const { items, search } = threads;
  return {
    ...threads,
    items: update(items),
    search: { ...search, results: search.results && update(search.results) },
  };
}

function update(list: readonly ListedThread[], thread: ThreadId, changes: ThreadUpdate) {
  return list.map((item) => (item.thread_id === thread ? { ...item, ...changes } : item));
}

function without(list: readonly ListedThread[], thread: ThreadId) {
  return list.filter((item) => item.thread_id !== thread);
}
