import { useCallback } from "react";
import type { Api, RunOptions } from "../api/client";
import { toProblem } from "../api/problem";
import { newMessageId, type ThreadId } from "../api/types";
import type { UserMessage } from "./chat";
import { retryWhileBusy } from "./retryWhileBusy";
import { useRunStreams, type RunListener } from "./useRunStreams";

/** After a cancel request, the stream is closed if it does not end within this time. */
const CANCEL_TIMEOUT_MS = 2_000;

/** The chats opened since the page was loaded, with actions to load, send, retry and stop. */
export function useChats(api: Api, listener: RunListener) {
  const { chats, dispatch, followRun, getStream } = useRunStreams(listener);

  const run = useCallback(
    (thread: ThreadId, { id, text }: UserMessage, options: RunOptions) =>
      followRun(thread, { id, text }, options.temporary ?? false, (signal) =>
        retryWhileBusy(() => api.runs.start(thread, { id, text, ...options }, signal), signal),
      ),
    [api, followRun],
  );

  const send = useCallback(
    (thread: ThreadId, text: string, options: RunOptions) =>
      run(thread, { id: newMessageId(), text }, options),
    [run],
  );

  /** Load a thread; if its last message has no answer yet, follow its run. */
  const load = useCallback(
    async (thread: ThreadId) => {
      if (getStream(thread)) return;
      dispatch(thread, { type: "loadStarted" });
      try {
        const [{ temporary }, messages] = await Promise.all([
          api.threads.get(thread),
          api.threads.messages(thread),
        ]);
        dispatch(thread, { type: "loaded", messages, temporary });
        const last = messages.at(-1);
        if (last?.role !== "user") return;
        await followRun(thread, last, temporary, (signal) => api.runs.join(thread, signal));
      } catch (error) {
        dispatch(thread, { type: "loadFailed", problem: toProblem(error) });
      }
    },
    [api, dispatch, followRun, getStream],
  );

  const stop = useCallback(
    async (thread: ThreadId) => {
      const stream = getStream(thread);
      if (stream === undefined) return;
      dispatch(thread, { type: "stopRequested" });
      try {
        await api.runs.cancel(thread);
        setTimeout(() => stream.abort(), CANCEL_TIMEOUT_MS);
      } catch {
        stream.abort();
      }
    },
    [api, dispatch, getStream],
  );

  return { chats, load, send, run, stop };
}
