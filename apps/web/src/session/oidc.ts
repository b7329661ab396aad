import { InMemoryWebStorage, UserManager, WebStorageStateStore, type User } from "oidc-client-ts";
import type { OidcConfig } from "../api/types";

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
    // The session of the gateway outlives the token.
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

/** Whether the provider has redirected back to the page. */
export function isReturning({ search }: Pick<Location, "search">): boolean {
  const params = new URLSearchParams(search);
  return params.has("state") && (params.has("code") || params.has("error"));
}

/** Redeem the authorization code in the URL, and replace the URL by the path before the sign-in. */
export async function completeSignIn(manager: UserManager) {
  const url = window.location.href;
  window.history.replaceState(null, "", "/");
  const user = await manager.signinRedirectCallback(url);
  await manager.removeUser();
  if (typeof user.state === "string" && user.state.startsWith("/")) {
    window.history.replaceState(null, "", user.state);
  }
  return { name: nameOf(user), token: user.access_token };
}

function nameOf({ profile }: User): string {
  return profile.name ?? profile.preferred_username ?? profile.sub;
}

/** Sign out of the provider, if it has an end-session endpoint. */
export async function signOutOfProvider(client: OidcConfig): Promise<void> {
  const manager = createUserManager(client);
  const endpoint = await manager.metadataService.getEndSessionEndpoint().catch(() => undefined);
  if (endpoint !== undefined) await manager.signoutRedirect();
}
