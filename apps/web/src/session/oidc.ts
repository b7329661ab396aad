import { InMemoryWebStorage, UserManager, WebStorageStateStore, type User } from "oidc-client-ts";
import type { OidcClient } from "../api/types";

/** Set in the tab while somebody is signed in, so that a reload goes straight back to the provider. */
const RETURNING = "keepsake.returning";

/** Authorization code with PKCE; tokens stay in memory. */
export function createUserManager({ issuer, client_id, scope, resource }: OidcClient): UserManager {
  const home = new URL("/", window.location.href).href;
  return new UserManager({
    authority: issuer,
    client_id,
    scope: scope ?? "openid profile",
    ...(resource && { resource }),
    redirect_uri: home,
    post_logout_redirect_uri: home,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    // Renewal without a refresh token needs a frame, which the page's policy forbids.
    automaticSilentRenew: false,
  });
}

/** Goes to the provider, and comes back to the thread that is open now. */
export function enter(manager: UserManager): Promise<void> {
  return manager.signinRedirect({ state: window.location.hash });
}

/** Back from the provider: takes the code out of the address, and puts the thread in. */
export function arrive(user: User | undefined): void {
  const hash = typeof user?.state === "string" ? user.state : "";
  window.history.replaceState(null, "", `/${hash}`);
}

/** Signs out here, and at the provider when it knows how. */
export async function leave(manager: UserManager): Promise<void> {
  forgetReturning();
  const endpoint = await manager.metadataService.getEndSessionEndpoint().catch(() => undefined);
  await (endpoint === undefined ? manager.removeUser() : manager.signoutRedirect());
}

/** Keeps the access token fresh where the provider gave a refresh token. Returns the way to end it. */
export function renew(manager: UserManager): () => void {
  const refresh = async () => {
    const user = await manager.getUser();
    if (user?.refresh_token) await manager.signinSilent().catch(() => null);
  };
  return manager.events.addAccessTokenExpiring(() => void refresh());
}

export function isReturning(): boolean {
  return sessionStorage.getItem(RETURNING) !== null;
}

export function rememberReturning(): void {
  sessionStorage.setItem(RETURNING, "yes");
}

export function forgetReturning(): void {
  sessionStorage.removeItem(RETURNING);
}
