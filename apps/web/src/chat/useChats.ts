import { useCallback, useEffect } from "react";
import type { Api } from "../api/client";
import { toProblem, UNREACHABLE } from "../api/problem";
import type { MessageFeedback, ThreadId, UserId } from "../api/types";
import type { Outbox } from "../drafts/outbox";
import { isRunning, nextOutgoing, type Chat, type ChatAction, type LoadedThread } from "./chat";
import type { Message } from "./messages";
import { resumeStream } from "./resumeStream";
import { useReachable } from "./useReachable";
import { useRunStreams, type RunListener } from "./useRunStreams";
import { useSending } from "./useSending";

type Rating = MessageFeedback | null;

/** After a cancel request, the stream is closed if it does not end within this time. */
const CANCEL_TIMEOUT_MS = 2_000;

/** The chats opened since the page was loaded, with actions to load, send, retry and stop. */
export function useChats(api: Api, user: UserId, listener: RunListener) {
  const streams = useRunStreams(listener);
  const network = useReachable();
  const { chats, dispatch, followRun, getStream } = streams;
  const { reachable, reportUnreachable } = network;
  const { outbox, run, send, withdraw } = useSending(api, user, streams, network);

  /** Load a thread; if its last message has no answer yet, follow its run. */
  const load = useCallback(
    async (thread: ThreadId) => {
      if (getStream(thread)) return;
      dispatch(thread, { type: "loadStarted" });
      try {
        const waiting = outbox.list().some((message) => message.thread === thread);
        const loaded = await loadThread(api, thread, waiting);
        const { messages, temporary } = loaded;
        messages.forEach(({ id }) => outbox.remove(id));
        dispatch(thread, { type: "loaded", ...loaded });
        const last = messages.at(-1);
        if (last?.role !== "user") return;
        const join = (signal: AbortSignal) => (lastEventId: string | null) =>
          api.runs.join(thread, signal, lastEventId);
        const open = (signal: AbortSignal) =>
          resumeStream(() => join(signal)(null), join(signal), signal);
        await followRun(thread, { message: last, temporary, open });
      } catch (error) {
        const problem = toProblem(error);
        if (problem.code === UNREACHABLE.code) reportUnreachable();
        dispatch(thread, { type: "loadFailed", problem });
      }
    },
    [api, dispatch, followRun, getStream, outbox, reportUnreachable],
  );

  useStoredMessages(outbox, dispatch, load);
  useEffect(() => {
    if (!reachable) return;
    for (const [thread, chat] of Object.entries(chats) as [ThreadId, Chat][]) {
      const message = nextOutgoing(chat);
      if (message === null || isRunning(chat)) continue;
      if (chat.history === "loaded") void run(thread, message, message.options);
      else if (isUnreachable(chat)) void load(thread);
    }
  }, [chats, reachable, run, load]);

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

  /** Show a rating at once, and revert it if it cannot be saved. */
  const rate = useCallback(
    async (thread: ThreadId, { id, savedId, feedback: before }: Message, after: Rating) => {
      if (savedId === null) return;
      dispatch(thread, { type: "rated", id, feedback: after });
      try {
        await api.threads.rate(thread, savedId, after);
      } catch (error) {
        dispatch(thread, { type: "rated", id, feedback: before });
        throw error;
      }
    },
    [api, dispatch],
  );

  return { chats, load, send, run, stop, withdraw, rate };
}

/** Show the messages that were not sent before the page was loaded, in their threads. */
function useStoredMessages(
  outbox: Outbox,
  dispatch: (thread: ThreadId, action: ChatAction) => void,
  load: (thread: ThreadId) => Promise<void>,
) {
  useEffect(() => {
    const messages = outbox.list();
    new Set(messages.map(({ thread }) => thread)).forEach((thread) => void load(thread));
    for (const message of messages) {
      dispatch(message.thread, { type: "messageQueued", message });
    }
  }, [outbox, dispatch, load]);
}

/** A thread whose first message is not sent yet does not exist. */
async function loadThread(api: Api, thread: ThreadId, maybeNew: boolean): Promise<LoadedThread> {
  try {
    const [{ temporary }, messages, branches] = await Promise.all([
      api.threads.get(thread),
      api.threads.messages(thread),
      api.threads.branches(thread),
    ]);
    return { temporary, messages, branches };
  } catch (error) {
    if (!maybeNew || toProblem(error).code !== "thread_not_found") throw error;
    return { temporary: false, messages: [], branches: [] };
  }
}

function isUnreachable({ history }: Chat): boolean {
  return typeof history === "object" && history.code === UNREACHABLE.code;
}
