import { expect, test } from "vitest";
import { createApi, createPublicApi } from "./client";
import { ProblemError, toProblem } from "./problem";
import { newMessageId, newThreadId, type MemoryId } from "./types";

type Request = { method: string; url: string; headers: Headers; body: unknown };

/** A fake `fetch` that returns the responses in order and records the requests. */
function fakeGateway(...responses: (Response | Error)[]) {
  const requests: Request[] = [];
  const fetch = (url: string, init: RequestInit) => {
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : null;
    requests.push({ method: init.method ?? "", url, headers: new Headers(init.headers), body });
    const response = responses.shift() ?? new Response(null, { status: 204 });
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  };
  return { requests, fetch: fetch as typeof globalThis.fetch };
}

function createClient(fetch: typeof globalThis.fetch, onUnauthorized = () => undefined as void) {
  return createApi({ onUnauthorized, fetch });
}

const page = (items: unknown[], next_cursor: string | null) =>
  Response.json({ items, next_cursor });

test("the access token is sent only to exchange it for the cookie", async () => {
  const { fetch, requests } = fakeGateway(
    Response.json({}),
    Response.json({ user_id: "u1" }),
    page([], null),
  );
  expect(await createPublicApi(fetch).startSession("the-token")).toBe("u1");
  await createClient(fetch).threads.list(null);
  const sent = requests.map(({ headers }) => headers.get("Authorization"));
  expect(sent).toEqual(["Bearer the-token", null, null]);
  expect(requests.map(({ url }) => url)).toEqual(["/session", "/me", "/threads?limit=30"]);
});

test("all pages of a thread's messages are read", async () => {
  const { fetch, requests } = fakeGateway(page([1, 2], "c 1"), page([3], null));
  const thread = newThreadId();
  expect(await createClient(fetch).threads.messages(thread)).toEqual([1, 2, 3]);
  expect(requests[1]?.url).toBe(`/threads/${thread}/messages?limit=500&cursor=c+1`);
});

test("an empty filter sends no query parameters", async () => {
  const { fetch, requests } = fakeGateway(page([], null), page([], null));
  const { memories } = createClient(fetch);
  await memories.list({ kind: null, query: "" }, null);
  await memories.list({ kind: "user", query: "a&b" }, null);
  expect(requests.map(({ url }) => url)).toEqual([
    "/memories?limit=30",
    "/memories?limit=30&kind=user&q=a%26b",
  ]);
});

test("a thread search sends the query and the cursor", async () => {
  const { fetch, requests } = fakeGateway(page([], null));
  await createClient(fetch).threads.search("rain & snow", "c");
  expect(requests[0]?.url).toBe("/threads?limit=30&q=rain+%26+snow&before=c");
});

test("deleting a thread returns the number of forgotten memories", async () => {
  const { fetch } = fakeGateway(
    Response.json({ forgotten: 3 }),
    new Response(null, { status: 204 }),
  );
  const { threads } = createClient(fetch);
  expect(await threads.remove(newThreadId(), true)).toBe(3);
  expect(await threads.remove(newThreadId(), false)).toBe(0);
});

test("undo returns the restored memory, or null", async () => {
  const { fetch } = fakeGateway(Response.json({ id: "m" }), new Response(null, { status: 204 }));
  const { memories } = createClient(fetch);
  expect(await memories.undo("m" as MemoryId)).toEqual({ id: "m" });
  expect(await memories.undo("m" as MemoryId)).toBeNull();
});

test("joining a run replays its events; without a run there are none", async () => {
  const { fetch, requests } = fakeGateway(
    new Response('id: r.0.2\nevent: token\ndata: {"text": "Hi"}\n\n'),
    new Response(null, { status: 204 }),
  );
  const { runs } = createClient(fetch);
  const thread = newThreadId();
  const collectEvents = async () => {
    const events = [];
    for await (const event of runs.join(thread, new AbortController().signal)) events.push(event);
    return events;
  };
  expect(await collectEvents()).toEqual([{ id: "r.0.2", event: "token", data: { text: "Hi" } }]);
  expect(await collectEvents()).toEqual([]);
  expect(requests[0]).toMatchObject({ method: "GET", url: `/threads/${thread}/stream` });
});

test("deleting a thread forgets its memories only on request", async () => {
  const { fetch, requests } = fakeGateway();
  const thread = newThreadId();
  await createClient(fetch).threads.remove(thread, false);
  await createClient(fetch).threads.remove(thread, true);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `DELETE /threads/${thread}`,
    `DELETE /threads/${thread}?forget=true`,
  ]);
});

test("a message is sent with its id and its events are read", async () => {
  const { fetch, requests } = fakeGateway(
    new Response('event: run.finished\ndata: {"status": "completed"}\n\n'),
  );
  const message = { id: newMessageId(), text: "Hello", web_search: true, temporary: true };
  const events = [];
  const { runs } = createClient(fetch);
  for await (const event of runs.start(newThreadId(), message, new AbortController().signal)) {
    events.push(event);
  }
  expect(requests[0]?.body).toEqual(message);
  expect(events).toEqual([{ event: "run.finished", data: { status: "completed" } }]);
});

test("a problem response keeps its title and detail", async () => {
  const problem = {
    type: "about:blank",
    title: "Not saved.",
    code: "refused",
    detail: "A password.",
  };
  const { fetch } = fakeGateway(Response.json(problem, { status: 422 }));
  const error: unknown = await createClient(fetch)
    .memories.add("user", "hunter2")
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  expect(toProblem(error)).toEqual({ code: "refused", title: "Not saved.", detail: "A password." });
});

test("an error response without problem+json gets a default problem", async () => {
  const { fetch } = fakeGateway(new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await expect(createClient(fetch).memories.remove("m" as MemoryId)).rejects.toMatchObject({
    status: 502,
    problem: { code: "unknown" },
  });
});

test("each response with status 401 is reported once", async () => {
  let reports = 0;
  const { fetch } = fakeGateway(Response.json({ title: "No" }, { status: 401 }));
  const api = createClient(fetch, () => void reports++);
  await expect(api.memories.flush()).rejects.toMatchObject({ status: 401 });
  expect(reports).toBe(1);
});

test("no request follows the erasure of the account", async () => {
  const { fetch, requests } = fakeGateway(Response.json({ deleted: { users: 1 } }));
  const api = createClient(fetch);
  const erased = api.account.erase();
  await expect(api.threads.list(null)).rejects.toMatchObject({ name: "AbortError" });
  await erased;
  await expect(api.memories.flush()).rejects.toMatchObject({ name: "AbortError" });
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["DELETE /me"]);
});

test("requests continue if the account could not be erased", async () => {
  const { fetch } = fakeGateway(Response.json({ title: "Busy" }, { status: 503 }), page([], null));
  const api = createClient(fetch);
  await expect(api.account.erase()).rejects.toMatchObject({ status: 503 });
  await expect(api.threads.list(null)).resolves.toMatchObject({ items: [] });
});

test("a failed connection is a problem, an abort is not", async () => {
  const { fetch } = fakeGateway(new TypeError("failed"), new DOMException("stop", "AbortError"));
  const { threads } = createClient(fetch);
  await expect(threads.list(null)).rejects.toMatchObject({ problem: { code: "unreachable" } });
  await expect(threads.list(null)).rejects.toMatchObject({ name: "AbortError" });
});

test("the sign-in call sends no token", async () => {
  const { fetch, requests } = fakeGateway(Response.json({ access_token: "t" }));
  await createPublicApi(fetch).signIn("rosa", "s3cret");
  expect(requests[0]?.headers.has("Authorization")).toBe(false);
  expect(requests[0]?.headers.get("X-Keepsake-Secret")).toBe("s3cret");
  expect(requests[0]?.body).toEqual({ user: "rosa" });
});
