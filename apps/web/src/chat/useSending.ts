import { useCallback, useMemo } from "react";
import type { Api, RunOptions } from "../api/client";
import { UNREACHABLE } from "../api/problem";
import { newMessageId, type Problem, type ThreadId, type UserId } from "../api/types";
import { createOutbox, type OutboxMessage } from "../drafts/outbox";
import type { UserMessage } from "./messages";
import { resumeStream } from "./resumeStream";
import { retryWhileBusy } from "./retryWhileBusy";
import type { Reachability } from "./useReachable";
import type { RunStreams } from "./useRunStreams";

/** Send messages. Each one is in the outbox until the gateway has it. */
export function useSending(api: Api, user: UserId, streams: RunStreams, network: Reachability) {
  const { dispatch, followRun, getStream } = streams;
  const { reportReachable, reportUnreachable } = network;
  const outbox = useMemo(() => createOutbox(localStorage, user), [user]);

  /** Without network, the message waits; otherwise the problem is shown at it. */
  const reject = useCallback(
    (message: OutboxMessage, problem: Problem) => {
      const waits = problem.code === UNREACHABLE.code;
      const rejected = { ...message, problem: waits ? null : problem };
      outbox.put(rejected);
      dispatch(message.thread, { type: "messageNotSent", message: rejected });
      if (waits) reportUnreachable();
    },
    [dispatch, outbox, reportUnreachable],
  );

  const run = useCallback(
    (thread: ThreadId, { id, text }: UserMessage, options: RunOptions) => {
      const start = (signal: AbortSignal) =>
        retryWhileBusy(() => api.runs.start(thread, { id, text, ...options }, signal), signal);
      return followRun(thread, {
        message: { id, text },
        temporary: options.temporary ?? false,
        open: (signal) =>
          resumeStream(
            () => start(signal),
            (lastEventId) => api.runs.join(thread, signal, lastEventId),
            signal,
          ),
        onStart: () => {
          outbox.remove(id);
          reportReachable();
        },
        onReject: (problem) => reject({ thread, id, text, options, problem: null }, problem),
      });
    },
    [api, followRun, outbox, reject, reportReachable],
  );

  /** Send a message; without network, or after messages that wait, it waits. */
  const send = useCallback(
    (thread: ThreadId, text: string, options: RunOptions) => {
      const message = { thread, id: newMessageId(), text, options, problem: null };
      const first = outbox.list().every((other) => other.thread !== thread);
      outbox.put(message);
      if (first && navigator.onLine && !getStream(thread)) void run(thread, message, options);
      else dispatch(thread, { type: "messageQueued", message });
    },
    [dispatch, getStream, outbox, run],
  );

  const withdraw = useCallback(
    (thread: ThreadId, { id }: UserMessage) => {
      outbox.remove(id);
      dispatch(thread, { type: "messageWithdrawn", id });
    },
    [dispatch, outbox],
  );

  return { outbox, run, send, withdraw };
}
