import { readEvents, type RunEvent } from "./events";
import { isAbort, ProblemError, problemOf, UNREACHABLE } from "./problem";
import type {
  Distilled,
  Formation,
  Me,
  Memory,
  MemoryId,
  MemoryKind,
  MemoryVersion,
  MessageId,
  Page,
  Profile,
  SavedMessage,
  Thread,
  ThreadId,
  Token,
  Config,
} from "./types";

type Fetch = typeof fetch;
type Forgotten = { readonly forgotten: number };
type Deleted = { readonly deleted: Readonly<Record<string, number>> };
type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;
type Call = { method?: string; body?: unknown; query?: Query; signal?: AbortSignal };

/** How the client gets in: who speaks, and what to do when the gateway no longer believes it. */
export type Door = {
  readonly token: () => Promise<string>;
  readonly refused: () => void;
  readonly fetch: Fetch;
};

/** What is said, and how it is to be answered. */
export type Question = Choices & { readonly id: MessageId; readonly text: string };
export type Choices = {
  readonly model?: string | undefined;
  readonly web_search?: boolean;
  /** Begins a thread of which nothing lasts. */
  readonly temporary?: boolean;
};
export type MemoryFilter = { readonly kind: MemoryKind | null; readonly query: string };
export type Api = ReturnType<typeof createApi>;

/** The gateway's interface for one signed-in user. Every call rejects with `ProblemError`. */
export function createApi(door: Door) {
  const call = (path: string, options: Call = {}) => send(door, path, options);
  const read = async <Body>(path: string, options?: Call) =>
    (await (await call(path, options)).json()) as Body;

  return {
    threads: {
      list: (before: string | null, signal?: AbortSignal) =>
        read<Page<Thread>>("/threads", { query: { limit: 30, before }, signal }),
      /** Threads that hold all of the words, the latest first. */
      search: (q: string, before: string | null, signal?: AbortSignal) =>
        read<Page<Thread>>("/threads", { query: { limit: 30, q, before }, signal }),
      get: (thread: ThreadId) => read<Thread>(`/threads/${thread}`),
      messages: (thread: ThreadId, signal?: AbortSignal) =>
        readAll((cursor) =>
          read<Page<SavedMessage>>(`/threads/${thread}/messages`, {
            query: { limit: 500, cursor },
            signal,
          }),
        ),
      rename: (thread: ThreadId, title: string) =>
        read<Thread>(`/threads/${thread}`, { method: "PATCH", body: { title } }),
      /** How many memories were forgotten with it; 0 when none were to be. */
      remove: async (thread: ThreadId, forget: boolean) => {
        const query = { forget: forget || null };
        const response = await call(`/threads/${thread}`, { method: "DELETE", query });
        return response.status === 204 ? 0 : ((await response.json()) as Forgotten).forgotten;
      },
    },
    runs: {
      /** Asks, or asks again: with the same message id the gateway replays the run. */
      start: (thread: ThreadId, question: Question, signal: AbortSignal) =>
        stream(call(`/threads/${thread}/messages`, { method: "POST", body: question, signal })),
      /** The thread's latest run from its start; no events when there is nothing to hear. */
      join: (thread: ThreadId, signal: AbortSignal) =>
        stream(call(`/threads/${thread}/stream`, { signal })),
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
      remove: (memory: MemoryId) => call(`/memories/${memory}`, { method: "DELETE" }),
      /** How much of each kind was forgotten. */
      removeAll: async () => (await read<Deleted>("/memories", { method: "DELETE" })).deleted,
      history: async (memory: MemoryId, signal?: AbortSignal) =>
        (await read<Page<MemoryVersion>>(`/memories/${memory}/history`, { signal })).items,
      /** What is known afterwards in its place; null when nothing is. */
      undo: async (memory: MemoryId) => {
        const response = await call(`/memories/${memory}/undo`, { method: "POST" });
        return response.status === 204 ? null : ((await response.json()) as Memory);
      },
      profile: (signal?: AbortSignal) => read<Profile>("/profile", { signal }),
      formation: (signal?: AbortSignal) => read<Formation>("/memories/formation", { signal }),
      /** Whether memory is on, or paused. */
      isOn: async (signal?: AbortSignal) => (await read<Me>("/me", { signal })).memory_enabled,
      turn: async (on: boolean) =>
        (await read<Me>("/me", { method: "PATCH", body: { memory_enabled: on } })).memory_enabled,
      distil: () => read<Distilled>("/memories/flush", { method: "POST" }),
    },
  };
}

/** The two calls that need nobody signed in. */
export function createFrontDoor(fetch: Fetch) {
  const door: Door = { token: () => Promise.resolve(""), refused: () => undefined, fetch };
  return {
    config: async () => (await (await send(door, "/config", {})).json()) as Config,
    token: async (user: string) =>
      (await (await send(door, "/dev/token", { method: "POST", body: { user } })).json()) as Token,
  };
}

async function send(door: Door, path: string, { method, body, query, signal }: Call) {
  const headers = new Headers();
  const token = await door.token();
  if (token !== "") headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const response = await reach(door.fetch, path + search(query), {
    method: method ?? "GET",
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (response.ok) return response;
  if (response.status === 401) door.refused();
  throw await problemOf(response);
}

async function reach(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ProblemError(UNREACHABLE, 0, { cause: error });
  }
}

function search(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? "" : `?${params.toString()}`;
}

async function readAll<Item>(page: (cursor: string | null) => Promise<Page<Item>>) {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const { items: more, next_cursor }: Page<Item> = await page(cursor);
    items.push(...more);
    cursor = next_cursor;
  } while (cursor !== null);
  return items;
}

async function* stream(answer: Promise<Response>): AsyncGenerator<RunEvent> {
  const { body } = await answer;
  if (body !== null) yield* readEvents(body);
}
