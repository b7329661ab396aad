import { accountApi } from "./accountApi";
import { createClient, send, type Connection } from "./connection";
import { memoriesApi } from "./memoriesApi";
import { runsApi } from "./runsApi";
import { threadsApi } from "./threadsApi";
import type { AccessToken, Config, Me, UserId } from "./types";

export type { Connection } from "./connection";
export type { MemoryFilter } from "./memoriesApi";
export type { RunOptions } from "./runsApi";
export type Api = ReturnType<typeof createApi>;

/** Create the client for a signed-in user. Every call rejects with `ProblemError`. */
export function createApi(connection: Connection) {
  const client = createClient(connection);
  return {
    threads: threadsApi(client),
    runs: runsApi(client),
    memories: memoriesApi(client),
    account: accountApi(client),
  };
}

/** Create the client for calls that need no session. */
export function createPublicApi(fetch: Connection["fetch"]) {
  const connection: Connection = {
    onUnauthorized: () => undefined,
    fetch,
  };
  return {
    config: async () => (await (await send(connection, "/config", {})).json()) as Config,
    /** Sign in by name; `secret` is that of the sign-in link, or empty. */
    signIn: async (user: string, secret: string) => {
      const response = await send(connection, "/dev/token", {
        method: "POST",
        body: { user },
        headers: secret === "" ? {} : { "X-Keepsake-Secret": secret },
      });
      return (await response.json()) as AccessToken;
    },
    /** Exchange an access token for a cookie, which identifies the user from now on. Resolves to the user's id. */
    startSession: async (token: string): Promise<UserId> => {
      const headers = { Authorization: `Bearer ${token}` };
      await send(connection, "/session", { method: "POST", headers });
      const me = (await (await send(connection, "/me", {})).json()) as Me;
      return me.user_id;
    },
    endSession: async () => {
      await send(connection, "/session", { method: "DELETE" });
    },
  };
}
