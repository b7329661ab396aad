import { lazy, Suspense, type ReactNode } from "react";
import type { Config } from "../api/types";
import { Splash } from "../ui/Splash";
import { LocalSignIn } from "./LocalSignIn";
import type { Session } from "./session";
import { useSession } from "./useSession";

const OidcSignIn = lazy(() => import("./OidcSignIn"));

type Props = { config: Config; children: (session: Session) => ReactNode };

/** Shows its content to a signed-in user, and to others how to sign in. */
export function SessionGate({ config, children }: Props) {
  const { session, start, expired } = useSession(config);
  // Content that suspends at its first rendering would discard the state of this component, also that it has expired.
  if (session !== null) return <Suspense fallback={<Splash />}>{children(session)}</Suspense>;
  if (config.oidc !== null) {
    return <OidcSignIn client={config.oidc} expired={expired} onStart={start} />;
  }
  return <LocalSignIn mode={config.local_sign_in} expired={expired} onStart={start} />;
}
