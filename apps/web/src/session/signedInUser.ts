/** The display name of the signed-in user, stored for all tabs of the browser; the session itself is in a cookie. */

export const SIGNED_IN_KEY = "keepsake.user";

/** Null: nobody is signed in. */
export function loadUser(storage: Storage): string | null {
  return storage.getItem(SIGNED_IN_KEY);
}

export function saveUser(storage: Storage, user: string): void {
  storage.setItem(SIGNED_IN_KEY, user);
}

export function clearUser(storage: Storage): void {
  storage.removeItem(SIGNED_IN_KEY);
}
