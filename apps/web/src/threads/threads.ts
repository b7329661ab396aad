import type { Problem } from "../api/problem";
import type { Page, Thread, ThreadId } from "../api/types";

/** The list of threads: the newest first, `next` leads to older ones. */
export type Threads = {
  readonly items: readonly Thread[];
  readonly next: string | null;
  readonly loaded: boolean;
  readonly problem: Problem | null;
};

export type ThreadsAction =
  | { type: "refreshed"; page: Page<Thread> }
  | { type: "continued"; page: Page<Thread> }
  | { type: "begun"; thread: ThreadId; text: string; now: string }
  | { type: "renamed"; thread: ThreadId; title: string }
  | { type: "removed"; thread: ThreadId }
  | { type: "failed"; problem: Problem }
  | { type: "dismissed" };

export type Day = { readonly label: string; readonly threads: readonly Thread[] };

export const NO_THREADS: Threads = { items: [], next: null, loaded: false, problem: null };

const TITLE_CHARS = 60;
const DAY_MS = 86_400_000;

export function threadsReducer(threads: Threads, action: ThreadsAction): Threads {
  const { items } = threads;
  switch (action.type) {
    case "refreshed":
      return refresh(threads, action.page);
    case "continued":
      return { ...threads, items: merge(items, action.page.items), next: action.page.next_cursor };
    case "begun":
      return { ...threads, items: begin(items, action.thread, action.text, action.now) };
    case "renamed":
      return { ...threads, items: items.map((item) => rename(item, action.thread, action.title)) };
    case "removed":
      return { ...threads, items: items.filter((item) => item.thread_id !== action.thread) };
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
    items: whole ? page.items : merge(page.items, threads.items),
    next: threads.loaded && !whole ? threads.next : page.next_cursor,
    loaded: true,
    problem: null,
  };
}

function merge(first: readonly Thread[], then: readonly Thread[]): readonly Thread[] {
  const known = new Set(first.map((thread) => thread.thread_id));
  return [...first, ...then.filter((thread) => !known.has(thread.thread_id))];
}

function begin(items: readonly Thread[], thread_id: ThreadId, text: string, now: string) {
  const known = items.find((item) => item.thread_id === thread_id);
  const title = text.trim().split("\n", 1)[0]?.slice(0, TITLE_CHARS) ?? null;
  const thread = known ?? { thread_id, title, created_at: now, updated_at: now, temporary: false };
  return merge([{ ...thread, updated_at: now }], items);
}

function rename(item: Thread, thread: ThreadId, title: string): Thread {
  return item.thread_id === thread ? { ...item, title } : item;
}
