import { useEffect, useState } from "react";
import { createPublicApi } from "../api/client";
import { toProblem } from "../api/problem";
import type { Config, Problem } from "../api/types";
import { useStrings } from "../strings";
import { NameForm, SignIn } from "./SignIn";
import { clearSecret, isSignInLink, loadSecret } from "./signInSecret";
import type { StartSession } from "./useSession";

/** The code of the problem that the secret is not, or no longer, that of the gateway. */
const SECRET_REFUSED = "sign_in_secret";

type Props = { mode: Config["local_sign_in"]; expired: boolean; onStart: StartSession };

/** Sign-in by name, for a gateway without an identity provider. */
export function LocalSignIn({ mode, expired, onStart }: Props) {
  const strings = useStrings();
  const [secret, setSecret] = useState(takeSecret);
  const [problem, setProblem] = useState<Problem | null>(null);

  // A link that is pasted into an open tab changes only the hash, which loads nothing.
  useEffect(() => {
    const follow = () => {
      if (!isSignInLink(window.location.hash)) return;
      setSecret(takeSecret());
      setProblem(null);
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);

  const signIn = async (user: string) => {
    setProblem(null);
    try {
      const api = createPublicApi(window.fetch.bind(window));
      const { access_token } = await api.signIn(user, secret);
      await onStart(user, access_token);
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code === SECRET_REFUSED) {
        clearSecret(localStorage);
        setSecret("");
      }
      setProblem(problem);
    }
  };

  return (
    <SignIn expired={expired} problem={problem}>
      {mode === "link" && secret === "" ? (
        <p>{strings.session.openLink}</p>
      ) : (
        <NameForm onSubmit={signIn} />
      )}
    </SignIn>
  );
}

/** Take the secret of a sign-in link out of the URL, which the page uses for its own routes. */
function takeSecret(): string {
  const { hash } = window.location;
  const secret = loadSecret(localStorage, hash);
  if (isSignInLink(hash)) window.history.replaceState(null, "", "/");
  return secret;
}
