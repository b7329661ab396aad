import { InMemoryWebStorage, UserManager, WebStorageStateStore, type User } from "oidc-client-ts";
import type { OidcConfig } from "../api/types";

/** Session storage key: set while the user is signed in, so that a reload signs in again. */
const AUTO_SIGN_IN_KEY = "keepsake.returning";

/** Create a client for the authorization code flow with PKCE; tokens are kept in memory only. */
export function createUserManager({ issuer, client_id }: OidcConfig): UserManager {
  const home = new URL("/", window.location.href).href;
  return new UserManager({
    authority: issuer,
    client_id,
    scope: "openid profile",
    redirect_uri: home,
    post_logout_redirect_uri: home,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    // Without a refresh token, renewal needs an iframe, which the content security policy forbids.
    automaticSilentRenew: false,
  });
}

/** Redirect to the provider; the URL hash is restored after the redirect back. */
export function redirectToProvider(manager: UserManager): Promise<void> {
  return manager.signinRedirect({ state: window.location.hash });
}

/** After the redirect back, replace the authorization code in the URL by the saved hash. */
export function restoreHash(user: User | undefined): void {
  const hash = typeof user?.state === "string" ? user.state : "";
  window.history.replaceState(null, "", `/${hash}`);
}

/** Sign out of the page, and of the provider if it has an end-session endpoint. */
export async function signOut(manager: UserManager): Promise<void> {
  disableAutoSignIn();
  const endpoint = await manager.metadataService.getEndSessionEndpoint().catch(() => undefined);
  await (endpoint === undefined ? manager.removeUser() : manager.signoutRedirect());
}

/** Renew the access token before it expires, if there is a refresh token. Returns a cleanup function. */
export function startTokenRenewal(manager: UserManager): () => void {
  const renew = async () => {
    const user = await manager.getUser();
    if (user?.refresh_token) await manager.signinSilent().catch(() => null);
  };
  return manager.events.addAccessTokenExpiring(() => void renew());
}

export function isAutoSignInEnabled(): boolean {
  return sessionStorage.getItem(AUTO_SIGN_IN_KEY) !== null;
}

export function enableAutoSignIn(): void {
  sessionStorage.setItem(AUTO_SIGN_IN_KEY, "yes");
}

export function disableAutoSignIn(): void {
  sessionStorage.removeItem(AUTO_SIGN_IN_KEY);
}
