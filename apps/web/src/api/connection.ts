import { isAbort, ProblemError, toProblemError, UNREACHABLE } from "./problem";
import { readChanges, readEvents } from "./events";
import type { Page, MemoryChange, RunEvent } from "./types";

type Fetch = typeof fetch;
type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type RequestOptions = {
  method?: string;
  /** Sent as JSON; a `Blob` is sent unchanged. */
  body?: object | Blob;
  headers?: Readonly<Record<string, string>>;
  query?: Query;
  signal?: AbortSignal;
  /** True: the request is also completed if the page is closed. */
  keepalive?: boolean;
};

export type Connection = {
  /** Called for each response with status 401. */
  readonly onUnauthorized: () => void;
  readonly fetch: Fetch;
};

/** Sends requests of the user whom the browser's cookie identifies. Every call rejects with `ProblemError`. */
export type Client = ReturnType<typeof createClient>;

export function createClient(connection: Connection) {
  let closed = false;
  const call = async (path: string, options: RequestOptions = {}) => {
    if (closed) throw new DOMException("The account is being erased.", "AbortError");
    return send(connection, path, options);
  };
  const read = async <Body>(path: string, options?: RequestOptions) =>
    (await (await call(path, options)).json()) as Body;
  /** Send the last request of a user: unless it fails, all later ones are aborted, because they would be refused. */
  const readLast = async <Body>(path: string, options: RequestOptions) => {
    closed = true;
    try {
      return (await (await send(connection, path, options)).json()) as Body;
    } catch (error) {
      closed = false;
      throw error;
    }
  };
  return { call, read, readLast };
}

export async function send(connection: Connection, path: string, options: RequestOptions) {
  const url = path + queryString(options.query);
  const response = await fetchOrThrow(connection.fetch, url, requestInit(options));
  if (response.ok) return response;
  if (response.status === 401) connection.onUnauthorized();
  throw await toProblemError(response);
}

function requestInit(options: RequestOptions): RequestInit {
  const { method = "GET", body, signal = null, keepalive = false } = options;
  const headers = new Headers(options.headers);
  if (body === undefined || body instanceof Blob) {
    return { method, headers, body: body ?? null, signal, keepalive };
  }
  headers.set("Content-Type", "application/json");
  return { method, headers, body: JSON.stringify(body), signal, keepalive };
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

/** Read all pages of a list. */
export async function readAllPages<Item>(readPage: (cursor: string | null) => Promise<Page<Item>>) {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage(cursor);
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

export async function* streamChanges(request: Promise<Response>): AsyncGenerator<MemoryChange> {
  const { body } = await request;
  if (body !== null) yield* readChanges(body);
}

export async function* streamEvents(request: Promise<Response>): AsyncGenerator<RunEvent> {
  const { body } = await request;
  if (body !== null) yield* readEvents(body);
}
