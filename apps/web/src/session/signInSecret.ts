/** The secret of the sign-in link, stored so that later visits without the link can sign in. */

const KEY = "keepsake.sign-in-secret";
const LINK = /^#secret=([\w-]+)$/;

export function isSignInLink(hash: string): boolean {
  return hash.startsWith("#secret=");
}

/** Load the secret from the URL hash of a sign-in link, and store it, or from storage; empty if there is none. */
export function loadSecret(storage: Storage, hash: string): string {
  const secret = LINK.exec(hash)?.[1];
  if (secret !== undefined) storage.setItem(KEY, secret);
  return secret ?? storage.getItem(KEY) ?? "";
}

export function clearSecret(storage: Storage): void {
  storage.removeItem(KEY);
}
