import type { EventSourceMessage } from "eventsource-parser";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { parseProblem } from "./problem";
import type { MemoryChange, RunEvent } from "./types";

const EVENT_NAMES: Readonly<Record<RunEvent["event"], true>> = {
  "run.started": true,
  "memory.recalled": true,
  token: true,
  "tool.started": true,
  "tool.finished": true,
  "message.completed": true,
  "memory.scheduled": true,
  "run.finished": true,
  "run.failed": true,
  reconnect: true,
};

/**
 * Yield the events of a run as they arrive; events with unknown names are skipped.
 *
 * A broken connection may end the stream without an error: the caller must check that the last
 * event was `run.finished` or `run.failed`.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent> {
  for await (const { id, event: name, data } of readMessages(body)) {
    const event = parseEvent(name, data);
    if (event !== null) yield id === undefined ? event : { ...event, id };
  }
}

/** Yield the changes of memories as they arrive; other events are skipped. */
export async function* readChanges(body: ReadableStream<Uint8Array>): AsyncGenerator<MemoryChange> {
  for await (const { event, data } of readMessages(body)) {
    if (event?.startsWith("memory.")) yield JSON.parse(data) as MemoryChange;
  }
}

async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(event: string | undefined, json: string): RunEvent | null {
  if (event === undefined || !Object.hasOwn(EVENT_NAMES, event)) return null;
  const data = JSON.parse(json) as Record<string, unknown>;
  if (event === "run.failed") return { event, data: { problem: parseProblem(data["problem"]) } };
  return { event, data } as RunEvent;
}
