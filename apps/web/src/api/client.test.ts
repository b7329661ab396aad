import { expect, test } from "vitest";
import { createApi, createFrontDoor } from "./client";
import { explain, ProblemError } from "./problem";
import { newMessageId, newThreadId, type MemoryId } from "./types";

type Request = { method: string; url: string; headers: Headers; body: unknown };

/** A gateway that gives these answers in turn, and keeps what it was asked. */
function gateway(...answers: (Response | Error)[]) {
  const requests: Request[] = [];
  const fetch = (url: string, init: RequestInit) => {
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : null;
    requests.push({ method: init.method ?? "", url, headers: new Headers(init.headers), body });
    const answer = answers.shift() ?? new Response(null, { status: 204 });
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { requests, fetch: fetch as typeof globalThis.fetch };
}

function signedIn(fetch: typeof globalThis.fetch, refused = () => undefined as void) {
  return createApi({ token: () => Promise.resolve("the-token"), refused, fetch });
}

const page = (items: unknown[], next_cursor: string | null) =>
  Response.json({ items, next_cursor });

test("every call says who is speaking", async () => {
  const { fetch, requests } = gateway(page([], null));
  await signedIn(fetch).threads.list(null);
  expect(requests[0]?.headers.get("Authorization")).toBe("Bearer the-token");
  expect(requests[0]?.url).toBe("/threads?limit=30");
});

test("a thread's messages are read to the last page", async () => {
  const { fetch, requests } = gateway(page([1, 2], "c 1"), page([3], null));
  const thread = newThreadId();
  expect(await signedIn(fetch).threads.messages(thread)).toEqual([1, 2, 3]);
  expect(requests[1]?.url).toBe(`/threads/${thread}/messages?limit=500&cursor=c+1`);
});

test("a filter that is not set is not sent", async () => {
  const { fetch, requests } = gateway(page([], null), page([], null));
  const { memories } = signedIn(fetch);
  await memories.list({ kind: null, query: "" }, null);
  await memories.list({ kind: "user", query: "a&b" }, null);
  expect(requests.map(({ url }) => url)).toEqual([
    "/memories?limit=30",
    "/memories?limit=30&kind=user&q=a%26b",
  ]);
});

test("a search asks for its words, and where to go on", async () => {
  const { fetch, requests } = gateway(page([], null));
  await signedIn(fetch).threads.search("rain & snow", "c");
  expect(requests[0]?.url).toBe("/threads?limit=30&q=rain+%26+snow&before=c");
});

test("a thread that is deleted tells how many memories went with it", async () => {
  const { fetch } = gateway(Response.json({ forgotten: 3 }), new Response(null, { status: 204 }));
  const { threads } = signedIn(fetch);
  expect(await threads.remove(newThreadId(), true)).toBe(3);
  expect(await threads.remove(newThreadId(), false)).toBe(0);
});

test("undo tells what is known now, if anything is", async () => {
  const { fetch } = gateway(Response.json({ id: "m" }), new Response(null, { status: 204 }));
  const { memories } = signedIn(fetch);
  expect(await memories.undo("m" as MemoryId)).toEqual({ id: "m" });
  expect(await memories.undo("m" as MemoryId)).toBeNull();
});

test("joining an answer hears it from its start, or nothing when there is none", async () => {
  const { fetch, requests } = gateway(
    new Response('id: r.0.2\nevent: token\ndata: {"text": "Hi"}\n\n'),
    new Response(null, { status: 204 }),
  );
  const { runs } = signedIn(fetch);
  const thread = newThreadId();
  const joined = async () => {
    const events = [];
    for await (const event of runs.join(thread, new AbortController().signal)) events.push(event);
    return events;
  };
  expect(await joined()).toEqual([{ name: "token", text: "Hi" }]);
  expect(await joined()).toEqual([]);
  expect(requests[0]).toMatchObject({ method: "GET", url: `/threads/${thread}/stream` });
});

test("deleting a thread forgets what it taught only when told to", async () => {
  const { fetch, requests } = gateway();
  const thread = newThreadId();
  await signedIn(fetch).threads.remove(thread, false);
  await signedIn(fetch).threads.remove(thread, true);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `DELETE /threads/${thread}`,
    `DELETE /threads/${thread}?forget=true`,
  ]);
});

test("a question travels with its id, and its answer is heard", async () => {
  const { fetch, requests } = gateway(
    new Response('event: run.finished\ndata: {"status": "completed"}\n\n'),
  );
  const question = { id: newMessageId(), text: "Hello", web_search: true, temporary: true };
  const events = [];
  const { runs } = signedIn(fetch);
  for await (const event of runs.start(newThreadId(), question, new AbortController().signal)) {
    events.push(event);
  }
  expect(requests[0]?.body).toEqual(question);
  expect(events).toEqual([{ name: "run.finished", status: "completed" }]);
});

test("a problem is told by its own words", async () => {
  const problem = {
    type: "about:blank",
    title: "Not kept.",
    code: "refused",
    detail: "A password.",
  };
  const { fetch } = gateway(Response.json(problem, { status: 422 }));
  const error: unknown = await signedIn(fetch)
    .memories.add("user", "hunter2")
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  expect(explain(error)).toEqual({ code: "refused", title: "Not kept.", detail: "A password." });
});

test("an answer that is no problem+json is still explained", async () => {
  const { fetch } = gateway(new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await expect(signedIn(fetch).memories.remove("m" as MemoryId)).rejects.toMatchObject({
    status: 502,
    problem: { code: "unknown" },
  });
});

test("a refused token is reported once for each refusal", async () => {
  let refusals = 0;
  const { fetch } = gateway(Response.json({ title: "No" }, { status: 401 }));
  const api = signedIn(fetch, () => void refusals++);
  await expect(api.memories.distil()).rejects.toMatchObject({ status: 401 });
  expect(refusals).toBe(1);
});

test("no answer at all is a problem of its own, an abort is none", async () => {
  const { fetch } = gateway(new TypeError("failed"), new DOMException("stop", "AbortError"));
  const { threads } = signedIn(fetch);
  await expect(threads.list(null)).rejects.toMatchObject({ problem: { code: "unreachable" } });
  await expect(threads.list(null)).rejects.toMatchObject({ name: "AbortError" });
});

test("signing in needs no token", async () => {
  const { fetch, requests } = gateway(Response.json({ access_token: "t" }));
  await createFrontDoor(fetch).token("rosa");
  expect(requests[0]?.headers.has("Authorization")).toBe(false);
  expect(requests[0]?.body).toEqual({ user: "rosa" });
});
