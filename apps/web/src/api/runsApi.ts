import { streamEvents, type Client } from "./connection";
import type { NewMessage, ThreadId } from "./types";

export type RunOptions = Pick<NewMessage, "model" | "web_search" | "temporary">;

export function runsApi({ call }: Client) {
  return {
    /** Start a run; a message id that was sent before replays its run. */
    start: (thread: ThreadId, message: NewMessage, signal: AbortSignal) =>
      streamEvents(call(`/threads/${thread}/messages`, { method: "POST", body: message, signal })),
    /**
     * Rejoin the thread's latest run after an event, or replay it from its start; yields no events
     * if there are none.
     */
    join: (thread: ThreadId, signal: AbortSignal, lastEventId: string | null = null) => {
      const headers: Record<string, string> =
        lastEventId === null ? {} : { "Last-Event-ID": lastEventId };
      return streamEvents(call(`/threads/${thread}/stream`, { headers, signal }));
    },
    cancel: (thread: ThreadId) => call(`/threads/${thread}/cancel`, { method: "POST" }),
  };
}
