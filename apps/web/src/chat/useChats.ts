import { useCallback } from "react";
import type { Api, Choices } from "../api/client";
import { explain } from "../api/problem";
import { newMessageId, type ThreadId } from "../api/types";
import type { Question } from "./chat";
import { inTurn } from "./turn";
import { useStreams, type StreamListener } from "./useStreams";

/** How long a run that was told to stop may take to say so. */
const STOP_PATIENCE_MS = 2_000;

/** The chats of this visit, and what can be done in them. */
export function useChats(api: Api, listener: StreamListener) {
  const { chats, tell, hear, streamOf } = useStreams(listener);

  const answer = useCallback(
    (thread: ThreadId, { id, text }: Question, choices: Choices) =>
      hear(thread, { id, text }, choices.temporary ?? false, (signal) =>
        inTurn(() => api.runs.start(thread, { id, text, ...choices }, signal), signal),
      ),
    [api, hear],
  );

  const ask = useCallback(
    (thread: ThreadId, text: string, choices: Choices) =>
      answer(thread, { id: newMessageId(), text }, choices),
    [answer],
  );

  /** Shows a thread; if an answer is coming, from its first word on. */
  const open = useCallback(
    async (thread: ThreadId) => {
      if (streamOf(thread)) return;
      tell(thread, { type: "opened" });
      try {
        const [{ temporary }, messages] = await Promise.all([
          api.threads.get(thread),
          api.threads.messages(thread),
        ]);
        tell(thread, { type: "loaded", messages, temporary });
        const last = messages.at(-1);
        if (last?.role !== "user") return;
        await hear(thread, last, temporary, (signal) => api.runs.join(thread, signal));
      } catch (error) {
        tell(thread, { type: "unloadable", problem: explain(error) });
      }
    },
    [api, hear, streamOf, tell],
  );

  const stop = useCallback(
    async (thread: ThreadId) => {
      const stream = streamOf(thread);
      if (stream === undefined) return;
      tell(thread, { type: "stopping" });
      try {
        await api.runs.cancel(thread);
        setTimeout(() => stream.abort(), STOP_PATIENCE_MS);
      } catch {
        stream.abort();
      }
    },
    [api, streamOf, tell],
  );

  return { chats, open, ask, answer, stop };
}
