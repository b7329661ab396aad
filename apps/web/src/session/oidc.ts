import { InMemoryWebStorage, UserManager, WebStorageStateStore, type User } from "oidc-client-ts";
import type { OidcConfig } from "../api/types";

/** Session storage key: set while the user is signed in, so that a reload signs in again. */
const AUTO_SIGN_IN_KEY = "keepsake.returning";

/** Create a client for the authorization code flow with PKCE; tokens are kept in memory only. */
export function createUserManager({ issuer, client_id, audience, scope }: OidcConfig): UserManager {
  const home = new URL("/", window.location.href).href;
  const api = tokenAudience(client_id, audience);
  return new UserManager({
    authority: issuer,
    client_id,
    scope,
    ...api,
    redirect_uri: home,
    post_logout_redirect_uri: home,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    // Without a refresh token, renewal needs an iframe, which the content security policy forbids.
    automaticSilentRenew: false,
  });
}

/**
 * Parameters that request access tokens for the API, which has another audience than the page.
 *
 * Issuers use `resource` (RFC 8707, an absolute URI) or `audience` (Auth0), and ignore the other. Entra uses neither: its
 * audiences are ids or `api:` addresses, and the scope selects the API.
 */
export function tokenAudience(clientId: string, audience: string) {
  if (audience === clientId) return {};
  const isAddress = /^https?:\/\/[^#]+$/.test(audience);
  return {
    extraQueryParams: { audience },
    ...(isAddress ? { resource: audience, extraTokenParams: { resource: audience } } : {}),
  };
}

/** Redirect to the provider; the path is restored after the redirect back. */
export function redirectToProvider(manager: UserManager): Promise<void> {
  return manager.signinRedirect({ state: window.location.pathname + window.location.search });
}

/** After the redirect back, replace the authorization code in the URL by the saved path. */
export function restorePath(user: User | undefined): void {
  const path = typeof user?.state === "string" && user.state.startsWith("/") ? user.state : "/";
  window.history.replaceState(null, "", path);
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
    const { resource, extraTokenParams } = manager.settings;
    if (user?.refresh_token)
      await manager.signinSilent({ resource, extraTokenParams }).catch(() => null);
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
