import type { MemoryFilter } from "../api/client";
import type { Problem } from "../api/problem";
import type { Distilled, Memory, MemoryId, Page } from "../api/types";

/** The memories that the panel shows; `next` leads to more of the same filter. */
export type Memories = {
  readonly items: readonly Memory[];
  readonly next: string | null;
  readonly filter: MemoryFilter;
  readonly state: "loading" | "ready" | "distilling";
  /** Null until it is known. */
  readonly on: boolean | null;
  readonly problem: Problem | null;
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
  notice: "",
};

export function memoriesReducer(memories: Memories, action: MemoriesAction): Memories {
  const { items } = memories;
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
        notice: "Added.",
      };
    case "edited":
      return { ...memories, items: items.map(swap(action.old, action.memory)), notice: "Saved." };
    case "removed":
      return { ...memories, items: without(items, action.memory), notice: "Deleted." };
    case "turned":
      return { ...memories, on: action.on };
    case "distilling":
      return { ...memories, state: "distilling", notice: "" };
    case "distilled":
      return { ...memories, state: "ready", notice: summary(action.result) };
    case "failed":
      return { ...memories, state: "ready", problem: action.problem };
    case "dismissed":
      return { ...memories, problem: null };
  }
}

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

/** An edited memory may come back under a new id. */
function swap(old: MemoryId, memory: Memory) {
  return (item: Memory) => (item.id === old ? memory : item);
}
