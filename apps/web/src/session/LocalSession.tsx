import { useMemo, useState, type ReactNode } from "react";
import { createPublicApi } from "../api/client";
import { toProblem } from "../api/problem";
import type { Config, Problem } from "../api/types";
import { clearToken, loadToken, saveToken, toLocalToken, type LocalToken } from "./localToken";
import type { Session } from "./session";
import { useStrings } from "../strings";
import { NameForm, SignIn } from "./SignIn";
import { clearSecret, loadSecret } from "./signInSecret";

/** The code of the problem that the secret is not, or no longer, that of the gateway. */
const SECRET_REFUSED = "sign_in_secret";

type Props = {
  mode: Config["local_sign_in"];
  children: (session: Session) => ReactNode;
};

/** Sign-in by name, for a gateway without an identity provider. */
export function LocalSession({ mode, children }: Props) {
  const strings = useStrings();
  const [secret, setSecret] = useState(takeSecret);
  const [token, setToken] = useState(() => loadToken(sessionStorage, Date.now()));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [expired, setExpired] = useState(false);

  const signIn = async (user: string) => {
    setProblem(null);
    try {
      const response = await createPublicApi(window.fetch.bind(window)).signIn(user, secret);
      const newToken = toLocalToken(user, response, Date.now());
      saveToken(sessionStorage, newToken);
      setExpired(false);
      setToken(newToken);
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code === SECRET_REFUSED) {
        clearSecret(localStorage);
        setSecret("");
      }
      setProblem(problem);
    }
  };

  const session = useMemo(() => {
    const endSession = (expired: boolean) => {
      clearToken(sessionStorage);
      setExpired(expired);
      setToken(null);
    };
    return token && createSession(token, endSession);
  }, [token]);

  if (session !== null) return children(session);
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
  if (hash.startsWith("#secret=")) window.history.replaceState(null, "", "/");
  return secret;
}

function createSession(
  { user, token }: LocalToken,
  endSession: (expired: boolean) => void,
): Session {
  return {
    user,
    getToken: () => Promise.resolve(token),
    signOut: () => endSession(false),
    onUnauthorized: () => endSession(true),
  };
}
