import { useCallback, useEffect, useReducer, useRef } from "react";
import { isAbort, toProblem } from "../api/problem";
import type { RunEvent, ThreadId } from "../api/types";
import { chatReducer, NEW_CHAT, type Chat, type ChatAction, type UserMessage } from "./chat";

type Chats = Readonly<Record<ThreadId, Chat>>;
type ChatsAction = { thread: ThreadId; action: ChatAction };
type OpenStream = (signal: AbortSignal) => AsyncGenerator<RunEvent>;

export type RunListener = {
  readonly onEvent: (event: RunEvent) => void;
  readonly onEnd: () => void;
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
    async (thread: ThreadId, message: UserMessage, temporary: boolean, openStream: OpenStream) => {
      if (streams.current.has(thread)) return;
      const stream = new AbortController();
      streams.current.set(thread, stream);
      dispatch(thread, { type: "messageSent", message, temporary });
      try {
        for await (const event of openStream(stream.signal)) {
          dispatch(thread, { type: "eventReceived", event });
          listenerRef.current.onEvent(event);
        }
        dispatch(thread, { type: "streamEnded" });
      } catch (error) {
        const failure: ChatAction = { type: "streamFailed", problem: toProblem(error) };
        dispatch(thread, isAbort(error) ? { type: "stopped" } : failure);
      } finally {
        streams.current.delete(thread);
        listenerRef.current.onEnd();
      }
    },
    [dispatch],
  );

  return { chats, dispatch, followRun, getStream };
}
