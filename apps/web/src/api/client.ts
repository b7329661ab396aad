import { readEvents } from "./events";
import { isAbort, ProblemError, toProblemError, UNREACHABLE } from "./problem";
import type {
  AccessToken,
  Config,
  FactLimit,
  FlushResult,
  ForgetResult,
  FormationStatus,
  ListedThread,
  Me,
  Memory,
  MemoryId,
  MemoryKind,
  MemoryUpdate,
  MemoryVersion,
  MeUpdate,
  NewMemory,
  NewMessage,
  Page,
  Profile,
  Receipt,
  RunEvent,
  SavedMessage,
  SignIn,
  Thread,
  ThreadId,
  ThreadUpdate,
} from "./types";

type Fetch = typeof fetch;
type RequestBody = MemoryUpdate | MeUpdate | NewMemory | NewMessage | SignIn | ThreadUpdate;
type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;
type RequestOptions = {
  method?: string;
  body?: RequestBody;
  headers?: Readonly<Record<string, string>>;
  query?: Query;
  signal?: AbortSignal;
};

export type Connection = {
  readonly getToken: () => Promise<string>;
  /** Called for each response with status 401. */
  readonly onUnauthorized: () => void;
  readonly fetch: Fetch;
};

export type RunOptions = Pick<NewMessage, "model" | "web_search" | "temporary">;
export type MemoryFilter = { readonly kind: MemoryKind | null; readonly query: string };
export type Api = ReturnType<typeof createApi>;

/** Create the client for a signed-in user. Every call rejects with `ProblemError`. */
export function createApi(connection: Connection) {
  const call = (path: string, options: RequestOptions = {}) => send(connection, path, options);
  const read = async <Body>(path: string, options?: RequestOptions) =>
    (await (await call(path, options)).json()) as Body;

  return {
    threads: {
      list: (before: string | null, signal?: AbortSignal) =>
        read<Page<ListedThread>>("/threads", { query: { limit: 30, before }, signal }),
      search: (q: string, before: string | null, signal?: AbortSignal) =>
        read<Page<ListedThread>>("/threads", { query: { limit: 30, q, before }, signal }),
      get: (thread: ThreadId) => read<Thread>(`/threads/${thread}`),
      messages: (thread: ThreadId, signal?: AbortSignal) =>
        readAllPages((cursor) =>
          read<Page<SavedMessage>>(`/threads/${thread}/messages`, {
            query: { limit: 500, cursor },
            signal,
          }),
        ),
      rename: (thread: ThreadId, title: string) =>
        read<Thread>(`/threads/${thread}`, { method: "PATCH", body: { title } }),
      /** Resolves to the number of memories that were deleted with the thread. */
      remove: async (thread: ThreadId, forget: boolean) => {
        const query = { forget: forget || null };
        const response = await call(`/threads/${thread}`, { method: "DELETE", query });
        return response.status === 204 ? 0 : ((await response.json()) as ForgetResult).forgotten;
      },
    },
    runs: {
      /** Start a run; a message id that was sent before replays its run. */
      start: (thread: ThreadId, message: NewMessage, signal: AbortSignal) =>
        streamEvents(
          call(`/threads/${thread}/messages`, { method: "POST", body: message, signal }),
        ),
      /**
       * Rejoin the thread's latest run after an event, or replay it from its start; yields no
       * events if there are none.
       */
      join: (thread: ThreadId, signal: AbortSignal, lastEventId: string | null = null) =>
        streamEvents(
          call(`/threads/${thread}/stream`, {
            headers: lastEventId === null ? {} : { "Last-Event-ID": lastEventId },
            signal,
          }),
        ),
      cancel: (thread: ThreadId) => call(`/threads/${thread}/cancel`, { method: "POST" }),
    },
    memories: {
      list: ({ kind, query }: MemoryFilter, cursor: string | null, signal?: AbortSignal) =>
        read<Page<Memory>>("/memories", {
          query: { limit: 30, kind, q: query || null, cursor },
          signal,
        }),
      add: (kind: MemoryKind, text: string) =>
        read<Memory>("/memories", { method: "POST", body: { kind, text } }),
      edit: (memory: MemoryId, text: string) =>
        read<Memory>(`/memories/${memory}`, { method: "PATCH", body: { text } }),
      setPinned: (memory: MemoryId, pinned: boolean) =>
        read<Memory>(`/memories/${memory}`, { method: "PATCH", body: { pinned } }),
      remove: (memory: MemoryId) => call(`/memories/${memory}`, { method: "DELETE" }),
      /** Resolves to the number of deleted documents of each kind. */
      removeAll: async () => (await read<Receipt>("/memories", { method: "DELETE" })).deleted,
      history: async (memory: MemoryId, signal?: AbortSignal) =>
        (await read<Page<MemoryVersion>>(`/memories/${memory}/history`, { signal })).items,
      /** Resolves to the restored memory, or null if there is none. */
      undo: async (memory: MemoryId) => {
        const response = await call(`/memories/${memory}/undo`, { method: "POST" });
        return response.status === 204 ? null : ((await response.json()) as Memory);
      },
      profile: (signal?: AbortSignal) => read<Profile>("/profile", { signal }),
      formation: (signal?: AbortSignal) => read<FormationStatus>("/memories/formation", { signal }),
      limit: (signal?: AbortSignal) => read<FactLimit>("/memories/limit", { signal }),
      flush: () => read<FlushResult>("/memories/flush", { method: "POST" }),
    },
    account: {
      get: (signal?: AbortSignal) => read<Me>("/me", { signal }),
      update: (changes: MeUpdate, signal?: AbortSignal) =>
        read<Me>("/me", { method: "PATCH", body: changes, signal }),
    },
  };
}

/** Create the client for calls that need no token. */
export function createPublicApi(fetch: Fetch) {
  const connection: Connection = {
    getToken: () => Promise.resolve(""),
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
  };
}

async function send(connection: Connection, path: string, options: RequestOptions) {
  const { method, body, query, signal } = options;
  const headers = new Headers(options.headers);
  const token = await connection.getToken();
  if (token !== "") headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const response = await fetchOrThrow(connection.fetch, path + queryString(query), {
    method: method ?? "GET",
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (response.ok) return response;
  if (response.status === 401) connection.onUnauthorized();
  throw await toProblemError(response);
}

async function fetchOrThrow(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ProblemError(UNREACHABLE, 0, { cause: error });
  }
}

function queryString(query: Query = {}): string {
  const entries = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const params = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  return entries.length === 0 ? "" : `?${params.toString()}`;
}

async function readAllPages<Item>(readPage: (cursor: string | null) => Promise<Page<Item>>) {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage(cursor);
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

async function* streamEvents(request: Promise<Response>): AsyncGenerator<RunEvent> {
  const { body } = await request;
  if (body !== null) yield* readEvents(body);
}
