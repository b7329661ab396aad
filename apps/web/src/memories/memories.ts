import type { Memory, MemoryId, Page, Problem } from "../api/types";

/** A list of memories; `cursor` is the start of the next page for the same filter. */
export type Memories = {
  readonly items: readonly Memory[];
  readonly cursor: string | null;
  /** Removed from the list, but perhaps not yet deleted: the removal can still be undone. */
  readonly hidden: ReadonlySet<MemoryId>;
  readonly state: "loading" | "ready" | "flushing";
  /** Null until it is loaded. */
  readonly enabled: boolean | null;
  /** Why the last action failed; reloading the list keeps it, because the user has not read it yet. */
  readonly problem: Problem | null;
  /** Why the list could not be loaded; null after the next successful load. */
  readonly loadProblem: Problem | null;
  /** Incremented by every change, so that the profile and the formation state are reloaded. */
  readonly revision: number;
};

export type MemoriesAction =
  | { type: "loadStarted" }
  | { type: "listed"; page: Page<Memory> }
  | { type: "loadFailed"; problem: Problem }
  | { type: "pageAdded"; page: Page<Memory> }
  | { type: "added"; memory: Memory }
  | { type: "edited"; id: MemoryId; memory: Memory }
  | { type: "pinChanged"; id: MemoryId; pinned: boolean }
  | { type: "removed"; id: MemoryId }
  | { type: "removalUndone"; id: MemoryId; items: readonly Memory[] }
  | { type: "undone"; id: MemoryId; memory: Memory | null }
  | { type: "allRemoved" }
  | { type: "enabledChanged"; enabled: boolean }
  | { type: "flushStarted" }
  | { type: "flushed" }
  | { type: "failed"; problem: Problem }
  | { type: "problemDismissed" };

export const INITIAL_MEMORIES: Memories = {
  items: [],
  cursor: null,
  hidden: new Set(),
  state: "loading",
  enabled: null,
  problem: null,
  loadProblem: null,
  revision: 0,
};

/** The problem to show: of the user's last action, otherwise of loading. */
export function currentProblem({ problem, loadProblem }: Memories): Problem | null {
  return problem ?? loadProblem;
}

export function memoriesReducer(memories: Memories, action: MemoriesAction): Memories {
  const { items, revision } = memories;
  const changed = { revision: revision + 1 };
  switch (action.type) {
    case "loadStarted":
      return { ...memories, state: "loading" };
    case "listed": {
      const { items: page, next_cursor: cursor } = action.page;
      const items = page.filter(({ id }) => !memories.hidden.has(id));
      return { ...memories, items, cursor, state: "ready", loadProblem: null };
    }
    case "loadFailed":
      return { ...memories, state: "ready", loadProblem: action.problem };
    case "pageAdded": {
      const { items: more, next_cursor: cursor } = action.page;
      return {
        ...memories,
        items: [...items, ...more.filter(({ id }) => !memories.hidden.has(id))],
        cursor,
      };
    }
    case "added":
      return {
        ...memories,
        items: [action.memory, ...without(items, action.memory.id)],
        ...changed,
      };
    case "edited":
      return {
        ...memories,
        items: replace(items, action.id, action.memory),
        ...changed,
      };
    case "pinChanged": {
      const { id, pinned } = action;
      return { ...memories, items: items.map((it) => (it.id === id ? { ...it, pinned } : it)) };
    }
    case "removed": {
      const hidden = new Set([...memories.hidden, ...learnedWith(items, action.id)]);
      return { ...memories, hidden, items: items.filter(({ id }) => !hidden.has(id)), ...changed };
    }
    case "removalUndone": {
      const hidden = new Set(memories.hidden);
      for (const id of learnedWith(action.items, action.id)) hidden.delete(id);
      return { ...memories, hidden, items: action.items, ...changed };
    }
    case "undone":
      return {
        ...memories,
        items: replace(items, action.id, action.memory),
        ...changed,
      };
    case "allRemoved":
      return { ...memories, items: [], cursor: null, ...changed };
    case "enabledChanged":
      return { ...memories, enabled: action.enabled };
    case "flushStarted":
      return { ...memories, state: "flushing" };
    case "flushed":
      return { ...memories, state: "ready", ...changed };
    case "failed":
      return { ...memories, state: "ready", problem: action.problem };
    case "problemDismissed":
      return { ...memories, problem: null, loadProblem: null };
  }
}

/** Whether a memory is considered for every answer. */
export function isAlwaysIncluded({ kind, standing, pinned }: Memory): boolean {
  return standing || pinned || kind === "procedural";
}

/** The memory and the conversations that come from the same messages, which are forgotten with it. */
function learnedWith(items: readonly Memory[], id: MemoryId): readonly MemoryId[] {
  const removed = items.find((item) => item.id === id);
  const messages = new Set(removed?.sources.map(({ message }) => message));
  const conversations = items.filter(
    ({ kind, sources }) =>
      kind === "episodic" && sources.some(({ message }) => messages.has(message)),
  );
  return [id, ...conversations.map((item) => item.id)];
}

function without(items: readonly Memory[], id: MemoryId): readonly Memory[] {
  return items.filter((item) => item.id !== id);
}

/** Replace a memory in place, or remove it if there is no replacement. */
function replace(items: readonly Memory[], id: MemoryId, memory: Memory | null) {
  if (memory === null) return without(items, id);
  return items.map((item) => (item.id === id ? memory : item));
}
