import { expect, test } from "vitest";
import { readEvents, type RunEvent } from "./events";

/** A body that arrives in pieces of `size` bytes. */
function arriving(text: string, size = 7): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

async function heard(text: string, size?: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of readEvents(arriving(text, size))) events.push(event);
  return events;
}

test("events arrive whole however their bytes are cut", async () => {
  const text =
    'id: 1\nevent: token\ndata: {"text": "Zürich — ☕"}\n\n' +
    'id: 2\nevent: run.finished\ndata: {"status": "completed"}\n\n';
  for (const size of [1, 2, 3, 1_000]) {
    expect(await heard(text, size)).toEqual([
      { name: "token", text: "Zürich — ☕" },
      { name: "run.finished", status: "completed" },
    ]);
  }
});

test("events of unknown names, and comments, are passed over", async () => {
  const text =
    ": ping\n\n" +
    'event: tool.thought\ndata: {"name": "recall"}\n\n' +
    'data: {"text": "no name"}\n\n' +
    'event: token\ndata: {"text": "a"}\n\n';
  expect(await heard(text)).toEqual([{ name: "token", text: "a" }]);
});

test("a failed run tells its problem, whatever is missing in it", async () => {
  const text = 'event: run.failed\ndata: {"problem": {"code": "model_unavailable"}}\n\n';
  expect(await heard(text)).toEqual([
    {
      name: "run.failed",
      problem: { code: "model_unavailable", title: "Something went wrong.", detail: null },
    },
  ]);
});

test("an event cut off by the end of the stream is not heard", async () => {
  expect(await heard('event: token\ndata: {"text": "a"}\n\nevent: token\ndata: {"te')).toEqual([
    { name: "token", text: "a" },
  ]);
});

test("a tool's name is not taken for the event's", async () => {
  const text =
    'event: tool.started\ndata: {"id": "1", "name": "web_search", "input": {"query": "rain"}}\n\n' +
    'event: tool.finished\ndata: {"id": "1", "name": "web_search", "output": "", "status": "ok"}\n\n';
  expect(await heard(text)).toMatchObject([
    { name: "tool.started", call: { id: "1", tool: "web_search", input: { query: "rain" } } },
    { name: "tool.finished", id: "1", status: "ok" },
  ]);
});
