import type { UserManager } from "oidc-client-ts";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { AuthProvider, hasAuthParams, useAuth } from "react-oidc-context";
import type { OidcConfig, Problem } from "../api/types";
import {
  createUserManager,
  disableAutoSignIn,
  enableAutoSignIn,
  isAutoSignInEnabled,
  redirectToProvider,
  restoreHash,
  signOut,
  startTokenRenewal,
} from "./oidc";
import { SESSION_EXPIRED, type Session } from "./session";
import { SignIn } from "./SignIn";

type Props = { client: OidcConfig; children: (session: Session) => ReactNode };

const SIGN_IN_FAILED: Problem = {
  code: "sign_in_failed",
  title: "Sign-in failed.",
  detail: "The identity provider did not respond or refused the sign-in.",
};

/** Sign-in with the gateway's identity provider (OpenID Connect). */
export default function OidcSession({ client, children }: Props) {
  const [manager] = useState(() => createUserManager(client));
  return (
    <AuthProvider userManager={manager} onSigninCallback={restoreHash}>
      <SessionGate manager={manager}>{children}</SessionGate>
    </AuthProvider>
  );
}

type GateProps = { manager: UserManager; children: Props["children"] };

function SessionGate({ manager, children }: GateProps) {
  const { isLoading, error } = useAuth();
  const [message, setMessage] = useState("");
  const session = useOidcSession(manager, setMessage);
  const redirecting = useAutoSignIn(manager);
  if (session !== null) return children(session);
  if (isLoading || redirecting) return <p className="page-status">Signing in…</p>;
  return (
    <SignIn message={message} problem={error ? SIGN_IN_FAILED : null}>
      <button
        type="button"
        className="button button-primary"
        onClick={() =>
          void redirectToProvider(manager).catch(() => setMessage(SIGN_IN_FAILED.title))
        }
      >
        Sign in
      </button>
    </SignIn>
  );
}

function useOidcSession(manager: UserManager, onMessage: (message: string) => void) {
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
        onMessage(SESSION_EXPIRED);
        void manager.removeUser();
      },
    };
  }, [manager, isAuthenticated, name, onMessage]);
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
