import type { ThreadId } from "./api/types";

const THREAD_HASH = /^#\/t\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** URL hash of a new temporary chat. */
export const TEMPORARY_HASH = "#/temporary";

/** Parse the thread id from a URL hash; null for a new thread. */
export function parseThreadHash(hash: string): ThreadId | null {
  return (THREAD_HASH.exec(hash)?.[1]?.toLowerCase() as ThreadId | undefined) ?? null;
}

/** The URL hash of a thread; null is a new thread. */
export function threadHash(thread: ThreadId | null): string {
  return thread === null ? "#/" : `#/t/${thread}`;
}
