import { useEffect, useState } from "react";
import { SIGN_IN_FAILED } from "../api/problem";
import type { OidcConfig } from "../api/types";
import { useStrings } from "../strings";
import { completeSignIn, createUserManager, isReturning, redirectToProvider } from "./oidc";
import { SignIn } from "./SignIn";
import type { StartSession } from "./useSession";

type Props = { client: OidcConfig; expired: boolean; onStart: StartSession };

/** Sign-in with the gateway's identity provider (OpenID Connect). */
export default function OidcSignIn({ client, expired, onStart }: Props) {
  const strings = useStrings();
  const [manager] = useState(() => createUserManager(client));
  const [state, setState] = useState<"ready" | "signingIn" | "failed">(
    isReturning(window.location) ? "signingIn" : "ready",
  );
  useEffect(() => {
    if (!isReturning(window.location)) return;
    completeSignIn(manager)
      .then(({ name, token }) => onStart(name, token))
      .catch(() => setState("failed"));
  }, [manager, onStart]);

  if (state === "signingIn") return <p className="page-status">{strings.session.signingIn}</p>;
  return (
    <SignIn expired={expired} problem={state === "failed" ? SIGN_IN_FAILED : null}>
      <button
        type="button"
        className="button button-primary"
        onClick={() => void redirectToProvider(manager).catch(() => setState("failed"))}
      >
        {strings.session.signIn}
      </button>
    </SignIn>
  );
}
