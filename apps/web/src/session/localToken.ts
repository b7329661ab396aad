import type { AccessToken } from "../api/types";

/** The token of a local sign-in, stored in the tab so that it survives a reload. */
export type LocalToken = {
  readonly user: string;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
};

const KEY = "keepsake.local-sign-in";

export function toLocalToken(user: string, token: AccessToken, now: number): LocalToken {
  return { user, token: token.access_token, expires: now + token.expires_in * 1_000 };
}

export function saveToken(storage: Storage, token: LocalToken): void {
  storage.setItem(KEY, JSON.stringify(token));
}

export function clearToken(storage: Storage): void {
  storage.removeItem(KEY);
}

/** Load the saved token; null if it is missing, invalid or expired. */
export function loadToken(storage: Storage, now: number): LocalToken | null {
  try {
    const token = JSON.parse(storage.getItem(KEY) ?? "null") as LocalToken | null;
    return token !== null && token.expires > now ? token : null;
  } catch {
    return null;
  }
}
