/** The addresses of the page. The gateway serves the page at each of them (`gateway/page.py`). */

import type { ThreadId } from "./api/types";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const THREAD_PATH = new RegExp(`^/thread/(${UUID})$`, "i");
const THREAD_HASH = new RegExp(`^#/t/(${UUID})$`, "i");

export const HOME_PATH = "/";
/** A new temporary chat. */
export const TEMPORARY_PATH = "/temporary";
export const MEMORY_PATH = "/memory";
export const SETTINGS_PATH = "/settings";

/** The path of a thread; null is a new thread. */
export function threadPath(thread: ThreadId | null): string {
  return thread === null ? HOME_PATH : `/thread/${thread}`;
}

/** The thread in a path; null for a new thread. */
export function parseThreadPath(path: string): ThreadId | null {
  return (THREAD_PATH.exec(path)?.[1]?.toLowerCase() as ThreadId | undefined) ?? null;
}

/** The path of a memory's source; null if the user entered it, or it was imported from another application. */
export function sourcePath(source: string): string | null {
  const path = `/thread/${source}`;
  return THREAD_PATH.test(path) ? path : null;
}

/** The path of an address of earlier versions, which had the thread in the hash; null if it is none. */
export function pathOfHash(hash: string): string | null {
  const thread = THREAD_HASH.exec(hash)?.[1]?.toLowerCase();
  if (thread !== undefined) return threadPath(thread as ThreadId);
  return hash === "#/temporary" ? TEMPORARY_PATH : null;
}
