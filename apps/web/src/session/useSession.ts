import { useCallback, useEffect, useMemo, useState } from "react";
import { createPublicApi } from "../api/client";
import type { Config } from "../api/types";
import { useStrings } from "../strings";
import { useToast } from "../ui/toast";
import type { Session } from "./session";
import { clearUser, loadUser, saveUser, SIGNED_IN_KEY } from "./signedInUser";

/** Exchange an access token for the session's cookie; rejects if the gateway refuses it. */
export type StartSession = (name: string, token: string) => Promise<void>;

/** The session of this browser, which all its tabs share; null until the user signs in. */
export function useSession({ oidc }: Config) {
  const { session: strings } = useStrings();
  const toast = useToast();
  const [user, setUser] = useState(() => loadUser(localStorage));
  const [expired, setExpired] = useState(false);
  const [api] = useState(() => createPublicApi(window.fetch.bind(window)));

  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === SIGNED_IN_KEY || key === null) setUser(loadUser(localStorage));
    };
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, []);

  const start: StartSession = useCallback(
    async (name, token) => {
      const user = { id: await api.startSession(token), name };
      saveUser(localStorage, user);
      setExpired(false);
      setUser(user);
    },
    [api],
  );

  const session = useMemo<Session | null>(() => {
    const end = (expired: boolean) => {
      clearUser(localStorage);
      setExpired(expired);
      setUser(null);
    };
    const signOut = async () => {
      await api.endSession();
      end(false);
      if (oidc !== null) await (await import("./oidc")).signOutOfProvider(oidc);
    };
    return user === null
      ? null
      : {
          ...user,
          signOut: () => void signOut().catch(() => toast({ text: strings.notSignedOut })),
          onUnauthorized: () => end(true),
        };
  }, [api, oidc, strings, toast, user]);

  return { session, start, expired };
}
