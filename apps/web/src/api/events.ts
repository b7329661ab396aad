import { EventSourceParserStream } from "eventsource-parser/stream";
import { parseProblem, type Problem } from "./problem";
import type { MessageId, RecalledMemory, ThreadId } from "./types";

/** An event of a run. The last one is `run.finished` or `run.failed`. */
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

export type ToolCall = {
  /** Identifies the call, not the tool. */
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
};

const EVENT_NAMES: ReadonlySet<string> = new Set<RunEvent["name"]>([
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
      if (event !== null) yield event;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(name: string | undefined, data: string): RunEvent | null {
  if (name === undefined || !EVENT_NAMES.has(name)) return null;
  const fields = JSON.parse(data) as Record<string, unknown>;
  if (name === "run.failed") return { name, problem: parseProblem(fields["problem"]) };
  if (name === "tool.started") {
    const { id, name: tool, input } = fields;
    return { name, call: { id, tool, input } as ToolCall };
  }
  return { ...fields, name } as RunEvent;
}
