/** The signed-in user, stored for all tabs of the browser; the session itself is in a cookie. */

import type { UserId } from "../api/types";

export type SignedInUser = {
  /** Identifies the user's data in the browser's storage. */
  readonly id: UserId;
  /** Display name; several users may have the same one. */
  readonly name: string;
};

export const SIGNED_IN_KEY = "keepsake.user";

/** Null: nobody is signed in. */
export function loadUser(storage: Storage): SignedInUser | null {
  const json = storage.getItem(SIGNED_IN_KEY);
  if (json === null) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isSignedInUser(value) ? value : null;
  } catch {
    return null;
  }
}

export function saveUser(storage: Storage, { id, name }: SignedInUser): void {
  storage.setItem(SIGNED_IN_KEY, JSON.stringify({ id, name }));
}

export function clearUser(storage: Storage): void {
  storage.removeItem(SIGNED_IN_KEY);
}

function isSignedInUser(value: unknown): value is SignedInUser {
  if (typeof value !== "object" || value === null) return false;
  const { id, name } = value as Record<string, unknown>;
  return typeof id === "string" && typeof name === "string";
}
