import { useCallback, useEffect, useReducer, useRef } from "react";
import type { RunEvent } from "../api/events";
import { explain, isAbort } from "../api/problem";
import type { ThreadId } from "../api/types";
import { chatReducer, NEW_CHAT, type Chat, type ChatAction, type Question } from "./chat";

type Chats = Readonly<Record<ThreadId, Chat>>;
type Addressed = { thread: ThreadId; action: ChatAction };
type Events = (signal: AbortSignal) => AsyncGenerator<RunEvent>;

export type StreamListener = {
  readonly onEvent: (event: RunEvent) => void;
  readonly onEnd: () => void;
};

function chatsReducer(chats: Chats, { thread, action }: Addressed): Chats {
  const before = chats[thread] ?? NEW_CHAT;
  const after = chatReducer(before, action);
  return after === before && thread in chats ? chats : { ...chats, [thread]: after };
}

/**
 * The chats of this visit, and the streams that feed them, one a thread.
 *
 * A stream goes on while another thread is looked at; leaving the page closes all of them (the
 * gateway carries their runs to the end).
 */
export function useStreams(listener: StreamListener) {
  const [chats, dispatch] = useReducer(chatsReducer, {});
  const streams = useRef(new Map<ThreadId, AbortController>());
  const listening = useRef(listener);
  useEffect(() => {
    listening.current = listener;
  });

  useEffect(() => {
    const open = streams.current;
    return () => {
      for (const stream of open.values()) stream.abort();
      open.clear();
    };
  }, []);

  const tell = useCallback(
    (thread: ThreadId, action: ChatAction) => dispatch({ thread, action }),
    [],
  );

  const streamOf = useCallback((thread: ThreadId) => streams.current.get(thread), []);

  /** Shows a question, and under it the answer that the events tell. */
  const hear = useCallback(
    async (thread: ThreadId, question: Question, temporary: boolean, events: Events) => {
      if (streams.current.has(thread)) return;
      const stream = new AbortController();
      streams.current.set(thread, stream);
      tell(thread, { type: "asked", question, temporary });
      try {
        for await (const event of events(stream.signal)) {
          tell(thread, { type: "heard", event });
          listening.current.onEvent(event);
        }
        tell(thread, { type: "ended" });
      } catch (error) {
        const broken: ChatAction = { type: "broken", problem: explain(error) };
        tell(thread, isAbort(error) ? { type: "stopped" } : broken);
      } finally {
        streams.current.delete(thread);
        listening.current.onEnd();
      }
    },
    [tell],
  );

  return { chats, tell, hear, streamOf };
}
