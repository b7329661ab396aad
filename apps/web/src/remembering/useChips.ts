import { useEffect, useMemo, useState } from "react";
import type { Api } from "../api/client";
import type { MemoryChange, ThreadId } from "../api/types";
import { chipsOf, mergeChanges, type Chips } from "./chips";

/** Older changes are not looked for. */
const MAX_PAGES = 5;

/**
 * The chips of a thread's messages.
 *
 * @param live the changes since the page was opened.
 * @param since the time of the thread's first message; null if it has none yet.
 */
export function useChips(
  api: Api,
  thread: ThreadId,
  live: readonly MemoryChange[],
  since: string | null,
): Chips {
  const [earlier, setEarlier] = useState<readonly MemoryChange[]>([]);
  useEffect(() => {
    if (since === null) return;
    const controller = new AbortController();
    loadChanges(api, since, controller.signal).then(setEarlier, () => undefined);
    return () => controller.abort();
  }, [api, since]);
  return useMemo(() => {
    const inThread = (change: MemoryChange) => change.memory === null || change.thread === thread;
    return chipsOf(mergeChanges(earlier, live).filter(inThread));
  }, [earlier, live, thread]);
}

async function loadChanges(api: Api, since: string, signal: AbortSignal) {
  let changes: readonly MemoryChange[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next_cursor } = await api.memories.changePage(cursor, signal);
    changes = mergeChanges(items, changes);
    const oldest = items.at(-1);
    cursor = next_cursor;
    if (cursor === null || oldest === undefined || oldest.ts < since) break;
  }
  return changes;
}
