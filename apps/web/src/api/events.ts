import { EventSourceParserStream } from "eventsource-parser/stream";
import { parseProblem } from "./problem";
import type { RunEvent } from "./types";

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
};

/**
 * Yield the events of a run as they arrive; events with unknown names are skipped.
 *
 * A broken connection may end the stream without an error: the caller must check that the last
 * event was `run.finished` or `run.failed`.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const event = parseEvent(value.event, value.data);
      if (event !== null) yield value.id === undefined ? event : { ...event, id: value.id };
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
