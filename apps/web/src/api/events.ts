import { EventSourceParserStream } from "eventsource-parser/stream";
import { readProblem, type Problem } from "./problem";
import type { MessageId, RecalledMemory, ThreadId } from "./types";

/** What a reply says while it happens. The last one is `run.finished` or `run.failed`. */
export type RunEvent =
  | { name: "run.started"; run_id: string; thread_id: ThreadId; message_id: MessageId }
  | {
      name: "memory.recalled";
      memories: readonly RecalledMemory[];
      tip_chars: number;
      degraded: boolean;
      elapsed_ms: number;
    }
  | { name: "token"; text: string }
  | { name: "tool.started"; call: ToolCall }
  | { name: "tool.finished"; id: string; output: string; status: string }
  | { name: "message.completed"; message_id: MessageId; text: string }
  | { name: "memory.scheduled"; due_at: string }
  | { name: "run.finished"; status: "completed" | "cancelled" }
  | { name: "run.failed"; problem: Problem };

/** `id` is the call's own. */
export type ToolCall = {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
};

const NAMES: ReadonlySet<string> = new Set<RunEvent["name"]>([
  "run.started",
  "memory.recalled",
  "token",
  "tool.started",
  "tool.finished",
  "message.completed",
  "memory.scheduled",
  "run.finished",
  "run.failed",
]);

/**
 * Yields the events of a reply as they arrive; names that the page does not know are passed over.
 *
 * Whether the reply came to its end is for the reader of the events to judge: a stream that breaks
 * off may simply stop.
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
      const event = decode(value.event, value.data);
      if (event !== null) yield event;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function decode(name: string | undefined, data: string): RunEvent | null {
  if (name === undefined || !NAMES.has(name)) return null;
  const fields = JSON.parse(data) as Record<string, unknown>;
  if (name === "run.failed") return { name, problem: readProblem(fields["problem"]) };
  if (name === "tool.started") {
    const { id, name: tool, input } = fields;
    return { name, call: { id, tool, input } as ToolCall };
  }
  return { ...fields, name } as RunEvent;
}
