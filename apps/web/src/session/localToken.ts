import type { Token } from "../api/types";

/** A developer's sign-in, kept for the tab so that a reload finds it. */
export type LocalToken = {
  readonly user: string;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
};

const KEY = "keepsake.local-sign-in";

export function localToken(user: string, token: Token, now: number): LocalToken {
  return { user, token: token.access_token, expires: now + token.expires_in * 1_000 };
}

export function saveToken(storage: Storage, token: LocalToken): void {
  storage.setItem(KEY, JSON.stringify(token));
}

export function dropToken(storage: Storage): void {
  storage.removeItem(KEY);
}

/** The sign-in that was kept, unless it is unreadable or over. */
export function loadToken(storage: Storage, now: number): LocalToken | null {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? "null") as LocalToken | null;
    return kept !== null && kept.expires > now ? kept : null;
  } catch {
    return null;
  }
}
