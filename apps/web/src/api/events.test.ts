import { expect, test } from "vitest";
import { readEvents } from "./events";
import type { RunEvent } from "./types";

/** A response body that arrives in chunks of `size` bytes. */
function chunkedBody(text: string, size = 7): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

async function collectEvents(text: string, size?: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of readEvents(chunkedBody(text, size))) events.push(event);
  return events;
}

test("events are parsed correctly for any chunk size", async () => {
  const text =
    'id: 1\nevent: token\ndata: {"text": "Zürich — ☕"}\n\n' +
    'id: 2\nevent: run.finished\ndata: {"status": "completed"}\n\n';
  for (const size of [1, 2, 3, 1_000]) {
    expect(await collectEvents(text, size)).toEqual([
      { id: "1", event: "token", data: { text: "Zürich — ☕" } },
      { id: "2", event: "run.finished", data: { status: "completed" } },
    ]);
  }
});

test("comments and events with unknown names are skipped", async () => {
  const text =
    ": ping\n\n" +
    'event: tool.thought\ndata: {"name": "recall"}\n\n' +
    'data: {"text": "no name"}\n\n' +
    'event: token\ndata: {"text": "a"}\n\n';
  expect(await collectEvents(text)).toEqual([{ event: "token", data: { text: "a" } }]);
});

test("a failed run has a complete problem even if fields are missing", async () => {
  const text = 'event: run.failed\ndata: {"problem": {"code": "model_unavailable"}}\n\n';
  expect(await collectEvents(text)).toEqual([
    {
      event: "run.failed",
      data: { problem: { code: "model_unavailable", title: "", detail: "" } },
    },
  ]);
});

test("an incomplete event at the end of the stream is dropped", async () => {
  const text = 'event: token\ndata: {"text": "a"}\n\nevent: token\ndata: {"te';
  expect(await collectEvents(text)).toEqual([{ event: "token", data: { text: "a" } }]);
});
