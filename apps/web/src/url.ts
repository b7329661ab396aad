import type { ThreadId } from "./api/types";

const THREAD = /^#\/t\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The address of a chat of which nothing will last. */
export const TEMPORARY_HASH = "#/temporary";

/** The thread that a page address names, or null for a new one. */
export function threadOf(hash: string): ThreadId | null {
  return (THREAD.exec(hash)?.[1]?.toLowerCase() as ThreadId | undefined) ?? null;
}

/** The address of a thread within the page; null is a new one. */
export function hashOf(thread: ThreadId | null): string {
  return thread === null ? "#/" : `#/t/${thread}`;
}
