import type { MemoryFilter } from "../api/client";
import type { Problem } from "../api/problem";
import type { Distilled, Memory, MemoryId, MemoryKind, Page } from "../api/types";

/** The memories that the panel shows; `next` leads to more of the same filter. */
export type Memories = {
  readonly items: readonly Memory[];
  readonly next: string | null;
  readonly filter: MemoryFilter;
  readonly state: "loading" | "ready" | "distilling";
  /** Null until it is known. */
  readonly on: boolean | null;
  readonly problem: Problem | null;
  /** Grows with all that is done here: what else is shown of memory may have changed by it. */
  readonly changes: number;
  /** What was last done, for the eye and for a screen reader. */
  readonly notice: string;
};

export type MemoriesAction =
  | { type: "filtered"; filter: MemoryFilter }
  | { type: "listed"; page: Page<Memory> }
  | { type: "continued"; page: Page<Memory> }
  | { type: "added"; memory: Memory }
  | { type: "edited"; old: MemoryId; memory: Memory }
  | { type: "removed"; memory: MemoryId }
  | { type: "undone"; old: MemoryId; memory: Memory | null }
  | { type: "emptied"; deleted: Readonly<Record<string, number>> }
  | { type: "turned"; on: boolean }
  | { type: "distilling" }
  | { type: "distilled"; result: Distilled }
  | { type: "failed"; problem: Problem }
  | { type: "dismissed" };

export const NO_MEMORIES: Memories = {
  items: [],
  next: null,
  filter: { kind: null, query: "" },
  state: "loading",
  on: null,
  problem: null,
  changes: 0,
  notice: "",
};

export function memoriesReducer(memories: Memories, action: MemoriesAction): Memories {
  const { items, changes } = memories;
  const done = (notice: string) => ({ notice, changes: changes + 1 });
  switch (action.type) {
    case "filtered":
      return { ...memories, filter: action.filter, state: "loading", notice: "" };
    case "listed":
      return { ...memories, ...shown(action.page), state: "ready", problem: null };
    case "continued":
      return { ...memories, ...shown({ ...action.page, items: [...items, ...action.page.items] }) };
    case "added":
      return {
        ...memories,
        items: [action.memory, ...without(items, action.memory.id)],
        ...done("Added."),
      };
    case "edited":
      return { ...memories, items: swap(items, action.old, action.memory), ...done("Saved.") };
    case "removed":
      return { ...memories, items: without(items, action.memory), ...done("Deleted.") };
    case "undone":
      return { ...memories, items: swap(items, action.old, action.memory), ...done("Undone.") };
    case "emptied":
      return { ...memories, items: [], next: null, ...done(farewell(action.deleted)) };
    case "turned":
      return { ...memories, on: action.on };
    case "distilling":
      return { ...memories, state: "distilling", notice: "" };
    case "distilled":
      return { ...memories, state: "ready", ...done(summary(action.result)) };
    case "failed":
      return { ...memories, state: "ready", problem: action.problem };
    case "dismissed":
      return { ...memories, problem: null };
  }
}

const KINDS: readonly MemoryKind[] = ["user", "episodic", "procedural"];

/** What distilling did, in a few words. */
export function summary({ added, replaced, confirmed, rejected, episodes }: Distilled): string {
  const parts = [
    count(added, "added"),
    count(replaced, "replaced"),
    count(confirmed, "confirmed"),
    count(rejected, "rejected"),
    count(episodes, episodes === 1 ? "episode" : "episodes"),
  ].filter((part) => part !== null);
  return parts.length === 0 ? "Nothing new to distil." : `Distilled: ${parts.join(", ")}.`;
}

function count(number: number, what: string): string | null {
  return number > 0 ? `${number} ${what}` : null;
}

function shown({ items, next_cursor }: Page<Memory>) {
  return { items, next: next_cursor };
}

function without(items: readonly Memory[], memory: MemoryId): readonly Memory[] {
  return items.filter((item) => item.id !== memory);
}

/** What comes in a memory's place may have an id of its own, or be nothing. */
function swap(items: readonly Memory[], old: MemoryId, memory: Memory | null) {
  if (memory === null) return without(items, old);
  return items.map((item) => (item.id === old ? memory : item));
}

function farewell(deleted: Readonly<Record<string, number>>): string {
  const memories = KINDS.reduce((sum, kind) => sum + (deleted[kind] ?? 0), 0);
  return `Everything is forgotten: ${memories === 1 ? "1 memory" : `${memories} memories`}.`;
}
