/** Texts that the user has typed but not sent, by thread, in the browser's storage. */

import type { UserId } from "../api/types";

export type Drafts = ReturnType<typeof createDrafts>;

/** @param thread the key of a thread; a new thread has a constant one. */
export function createDrafts(storage: Storage, user: UserId) {
  const keyOf = (thread: string) => `${prefix(user)}${thread}`;
  return {
    load: (thread: string): string => storage.getItem(keyOf(thread)) ?? "",
    /** A blank text removes the draft; if the storage is full, the draft lasts until the page is closed. */
    save: (thread: string, text: string): void => {
      if (text.trim() === "") storage.removeItem(keyOf(thread));
      else trySetItem(storage, keyOf(thread), text);
    },
  };
}

/** Remove all drafts and waiting messages of a user, for example when they sign out. */
export function removeUnsent(storage: Storage, user: UserId): void {
  storage.removeItem(outboxKey(user));
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const key of keys) if (key?.startsWith(prefix(user))) storage.removeItem(key);
}

export function outboxKey(user: UserId): string {
  return `keepsake.outbox.${encodeURIComponent(user)}`;
}

export function trySetItem(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

function prefix(user: UserId): string {
  return `keepsake.draft.${encodeURIComponent(user)}.`;
}
