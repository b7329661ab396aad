import type { UserManager } from "oidc-client-ts";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { AuthProvider, hasAuthParams, useAuth } from "react-oidc-context";
import { SIGN_IN_FAILED } from "../api/problem";
import type { OidcConfig } from "../api/types";
import { useStrings } from "../strings";
import {
  createUserManager,
  disableAutoSignIn,
  enableAutoSignIn,
  isAutoSignInEnabled,
  redirectToProvider,
  restorePath,
  signOut,
  startTokenRenewal,
} from "./oidc";
import type { Session } from "./session";
import { SignIn } from "./SignIn";

type Props = { client: OidcConfig; children: (session: Session) => ReactNode };

/** Sign-in with the gateway's identity provider (OpenID Connect). */
export default function OidcSession({ client, children }: Props) {
  const [manager] = useState(() => createUserManager(client));
  return (
    <AuthProvider userManager={manager} onSigninCallback={restorePath}>
      <SessionGate manager={manager}>{children}</SessionGate>
    </AuthProvider>
  );
}

type GateProps = { manager: UserManager; children: Props["children"] };

function SessionGate({ manager, children }: GateProps) {
  const { isLoading, error } = useAuth();
  const strings = useStrings();
  const [expired, setExpired] = useState(false);
  const [failed, setFailed] = useState(false);
  const session = useOidcSession(manager, setExpired);
  const redirecting = useAutoSignIn(manager);
  if (session !== null) return children(session);
  if (isLoading || redirecting) return <p className="page-status">{strings.session.signingIn}</p>;
  return (
    <SignIn expired={expired} problem={error || failed ? SIGN_IN_FAILED : null}>
      <button
        type="button"
        className="button button-primary"
        onClick={() => void redirectToProvider(manager).catch(() => setFailed(true))}
      >
        {strings.session.signIn}
      </button>
    </SignIn>
  );
}

function useOidcSession(manager: UserManager, onExpired: (expired: boolean) => void) {
  const { user, isAuthenticated } = useAuth();
  useEffect(() => startTokenRenewal(manager), [manager]);

  const name = user?.profile.name ?? user?.profile.preferred_username ?? user?.profile.sub ?? "";
  return useMemo<Session | null>(() => {
    if (!isAuthenticated) return null;
    return {
      user: name,
      getToken: async () => (await manager.getUser())?.access_token ?? "",
      signOut: () => void signOut(manager),
      onUnauthorized: () => {
        disableAutoSignIn();
        onExpired(true);
        void manager.removeUser();
      },
    };
  }, [manager, isAuthenticated, name, onExpired]);
}

/** Redirect to the provider once after a reload. Returns true while the redirect is in progress. */
function useAutoSignIn(manager: UserManager): boolean {
  const { isLoading, isAuthenticated, error } = useAuth();
  const [redirecting, setRedirecting] = useState(() => isAutoSignInEnabled() && !hasAuthParams());
  useEffect(() => {
    if (isAuthenticated) enableAutoSignIn();
  }, [isAuthenticated]);
  useEffect(() => {
    if (!redirecting || isLoading || isAuthenticated || error) return;
    disableAutoSignIn();
    redirectToProvider(manager).catch(() => setRedirecting(false));
  }, [manager, redirecting, isLoading, isAuthenticated, error]);
  return redirecting && !error;
}
