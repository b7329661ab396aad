import { useMemo, useState, type ReactNode } from "react";
import { createFrontDoor } from "../api/client";
import { explain, type Problem } from "../api/problem";
import { dropToken, loadToken, localToken, saveToken, type LocalToken } from "./localToken";
import { SIGNED_OUT_BY_GATEWAY, type Session } from "./session";
import { NameForm, SignIn } from "./SignIn";

type Props = { children: (session: Session) => ReactNode };

/** Signs in by name alone, as a gateway without an identity provider allows on its own machine. */
export function LocalSession({ children }: Props) {
  const [kept, setKept] = useState(() => loadToken(sessionStorage, Date.now()));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [reason, setReason] = useState("");

  const signIn = async (user: string) => {
    setProblem(null);
    try {
      const token = await createFrontDoor(window.fetch.bind(window)).token(user);
      const fresh = localToken(user, token, Date.now());
      saveToken(sessionStorage, fresh);
      setReason("");
      setKept(fresh);
    } catch (error) {
      setProblem(explain(error));
    }
  };

  const session = useMemo(() => {
    const leave = (why: string) => {
      dropToken(sessionStorage);
      setReason(why);
      setKept(null);
    };
    return kept && sessionOf(kept, leave);
  }, [kept]);

  if (session !== null) return children(session);
  return (
    <SignIn reason={reason} problem={problem}>
      <NameForm onName={signIn} />
    </SignIn>
  );
}

function sessionOf({ user, token }: LocalToken, leave: (why: string) => void): Session {
  return {
    user,
    token: () => Promise.resolve(token),
    signOut: () => leave(""),
    refused: () => leave(SIGNED_OUT_BY_GATEWAY),
  };
}
