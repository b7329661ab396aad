import { useCallback, useEffect, useReducer, useRef } from "react";
import { isAbort, toProblem } from "../api/problem";
import type { Problem, RunEvent, ThreadId } from "../api/types";
import { chatReducer, NEW_CHAT, type Chat, type ChatAction } from "./chat";
import type { UserMessage } from "./messages";

export type Chats = Readonly<Record<ThreadId, Chat>>;
type ChatsAction = { thread: ThreadId; action: ChatAction };

export type RunStreams = ReturnType<typeof useRunStreams>;

export type RunListener = {
  readonly onEvent: (event: RunEvent) => void;
  readonly onEnd: () => void;
};

/** A run to show: its message, and how to open its stream. */
export type RunRequest = {
  readonly message: UserMessage;
  readonly temporary: boolean;
  readonly open: (signal: AbortSignal) => AsyncGenerator<RunEvent>;
  /** Called with the first event: from then on, the gateway has the message. */
  readonly onStart?: () => void;
  /** Called instead of showing the problem if there is no event at all. */
  readonly onReject?: (problem: Problem) => void;
};

function chatsReducer(chats: Chats, { thread, action }: ChatsAction): Chats {
  const before = chats[thread] ?? NEW_CHAT;
  const after = chatReducer(before, action);
  return after === before && thread in chats ? chats : { ...chats, [thread]: after };
}

/**
 * The chats opened since the page was loaded, and at most one event stream for each of them.
 *
 * A stream stays open while another thread is shown. Unmounting closes all streams; the gateway
 * completes their runs.
 */
export function useRunStreams(listener: RunListener) {
  const [chats, dispatchChats] = useReducer(chatsReducer, {});
  const streams = useRef(new Map<ThreadId, AbortController>());
  const listenerRef = useRef(listener);
  useEffect(() => {
    listenerRef.current = listener;
  });

  useEffect(() => {
    const openStreams = streams.current;
    return () => {
      for (const stream of openStreams.values()) stream.abort();
      openStreams.clear();
    };
  }, []);

  const dispatch = useCallback(
    (thread: ThreadId, action: ChatAction) => dispatchChats({ thread, action }),
    [],
  );

  const getStream = useCallback((thread: ThreadId) => streams.current.get(thread), []);

  /** Show a user message and apply the events of its run. */
  const followRun = useCallback(
    async (thread: ThreadId, { message, temporary, open, onStart, onReject }: RunRequest) => {
      if (streams.current.has(thread)) return;
      const stream = new AbortController();
      let started = false;
      streams.current.set(thread, stream);
      dispatch(thread, { type: "messageSent", message, temporary });
      try {
        for await (const event of open(stream.signal)) {
          if (!started) onStart?.();
          started = true;
          dispatch(thread, { type: "eventReceived", event });
          listenerRef.current.onEvent(event);
        }
        dispatch(thread, { type: "streamEnded" });
      } catch (error) {
        const problem = toProblem(error);
        if (isAbort(error)) dispatch(thread, { type: "stopped" });
        else if (!started && onReject) onReject(problem);
        else dispatch(thread, { type: "streamFailed", problem });
      } finally {
        streams.current.delete(thread);
        listenerRef.current.onEnd();
      }
    },
    [dispatch],
  );

  return { chats, dispatch, followRun, getStream };
}
