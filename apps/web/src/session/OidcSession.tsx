import type { UserManager } from "oidc-client-ts";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { AuthProvider, hasAuthParams, useAuth } from "react-oidc-context";
import type { Problem } from "../api/problem";
import type { OidcClient } from "../api/types";
import {
  arrive,
  createUserManager,
  enter,
  forgetReturning,
  isReturning,
  leave,
  rememberReturning,
  renew,
} from "./oidc";
import { SIGNED_OUT_BY_GATEWAY, type Session } from "./session";
import { SignIn } from "./SignIn";

type Props = { client: OidcClient; children: (session: Session) => ReactNode };

const REFUSED: Problem = {
  code: "sign_in_failed",
  title: "Signing in did not work.",
  detail: "The identity provider could not be reached, or said no.",
};

/** Signs in at the identity provider that the gateway names. */
export default function OidcSession({ client, children }: Props) {
  const [manager] = useState(() => createUserManager(client));
  return (
    <AuthProvider userManager={manager} onSigninCallback={arrive}>
      <Gate manager={manager}>{children}</Gate>
    </AuthProvider>
  );
}

type GateProps = { manager: UserManager; children: Props["children"] };

function Gate({ manager, children }: GateProps) {
  const { isLoading, error } = useAuth();
  const [reason, setReason] = useState("");
  const session = useOidcSession(manager, setReason);
  const returning = useReturn(manager);
  if (session !== null) return children(session);
  if (isLoading || returning) return <p className="waiting">Signing in…</p>;
  return (
    <SignIn reason={reason} problem={error ? REFUSED : null}>
      <button
        type="button"
        className="button button-main"
        onClick={() => void enter(manager).catch(() => setReason(REFUSED.title))}
      >
        Sign in
      </button>
    </SignIn>
  );
}

function useOidcSession(manager: UserManager, onReason: (reason: string) => void) {
  const { user, isAuthenticated } = useAuth();
  useEffect(() => renew(manager), [manager]);

  const name = user?.profile.name ?? user?.profile.preferred_username ?? user?.profile.sub ?? "";
  return useMemo<Session | null>(() => {
    if (!isAuthenticated) return null;
    return {
      user: name,
      token: async () => (await manager.getUser())?.access_token ?? "",
      signOut: () => void leave(manager),
      refused: () => {
        forgetReturning();
        onReason(SIGNED_OUT_BY_GATEWAY);
        void manager.removeUser();
      },
    };
  }, [manager, isAuthenticated, name, onReason]);
}

/** After a reload, goes back to the provider once by itself; true while that is under way. */
function useReturn(manager: UserManager): boolean {
  const { isLoading, isAuthenticated, error } = useAuth();
  const [returning, setReturning] = useState(() => isReturning() && !hasAuthParams());
  useEffect(() => {
    if (isAuthenticated) rememberReturning();
  }, [isAuthenticated]);
  useEffect(() => {
    if (!returning || isLoading || isAuthenticated || error) return;
    forgetReturning();
    enter(manager).catch(() => setReturning(false));
  }, [manager, returning, isLoading, isAuthenticated, error]);
  return returning && !error;
}
