import { useMemo, useState, type ReactNode } from "react";
import { createPublicApi } from "../api/client";
import { toProblem } from "../api/problem";
import type { Problem } from "../api/types";
import { clearToken, loadToken, saveToken, toLocalToken, type LocalToken } from "./localToken";
import { SESSION_EXPIRED, type Session } from "./session";
import { NameForm, SignIn } from "./SignIn";

type Props = { children: (session: Session) => ReactNode };

/** Sign-in by name, for a gateway without an identity provider. */
export function LocalSession({ children }: Props) {
  const [token, setToken] = useState(() => loadToken(sessionStorage, Date.now()));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [message, setMessage] = useState("");

  const signIn = async (user: string) => {
    setProblem(null);
    try {
      const response = await createPublicApi(window.fetch.bind(window)).signIn(user);
      const newToken = toLocalToken(user, response, Date.now());
      saveToken(sessionStorage, newToken);
      setMessage("");
      setToken(newToken);
    } catch (error) {
      setProblem(toProblem(error));
    }
  };

  const session = useMemo(() => {
    const endSession = (message: string) => {
      clearToken(sessionStorage);
      setMessage(message);
      setToken(null);
    };
    return token && createSession(token, endSession);
  }, [token]);

  if (session !== null) return children(session);
  return (
    <SignIn message={message} problem={problem}>
      <NameForm onSubmit={signIn} />
    </SignIn>
  );
}

function createSession(
  { user, token }: LocalToken,
  endSession: (message: string) => void,
): Session {
  return {
    user,
    getToken: () => Promise.resolve(token),
    signOut: () => endSession(""),
    onUnauthorized: () => endSession(SESSION_EXPIRED),
  };
}
