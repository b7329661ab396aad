import { useCallback, useEffect, useReducer, useRef } from "react";
import type { Api } from "../api/client";
import type { RunEvent } from "../api/events";
import { explain, isAbort } from "../api/problem";
import { newMessageId, type ThreadId } from "../api/types";
import { chatReducer, NEW_CHAT, type Chat, type ChatAction, type Question } from "./chat";
import { inTurn } from "./turn";

type Chats = Readonly<Record<ThreadId, Chat>>;
type Addressed = { thread: ThreadId; action: ChatAction };

/** How long a run that was told to stop may take to say so. */
const STOP_PATIENCE_MS = 2_000;

export type ChatListener = {
  readonly onStart: (thread: ThreadId, text: string) => void;
  readonly onEvent: (event: RunEvent) => void;
  readonly onEnd: () => void;
};

function chatsReducer(chats: Chats, { thread, action }: Addressed): Chats {
  const before = chats[thread] ?? NEW_CHAT;
  const after = chatReducer(before, action);
  return after === before && thread in chats ? chats : { ...chats, [thread]: after };
}

/**
 * The chats of this visit, and the streams that feed them.
 *
 * A stream goes on while another thread is looked at; leaving the page closes all of them (the
 * gateway carries their runs to the end).
 */
export function useChats(api: Api, listener: ChatListener) {
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

  const answer = useCallback(
    async (thread: ThreadId, question: Question, model: string | undefined) => {
      if (streams.current.has(thread)) return;
      const tell = (action: ChatAction) => dispatch({ thread, action });
      const stream = new AbortController();
      streams.current.set(thread, stream);
      tell({ type: "asked", question });
      listening.current.onStart(thread, question.text);
      try {
        const { id, text } = question;
        const start = () => api.runs.start(thread, { id, text, model }, stream.signal);
        for await (const event of inTurn(start, stream.signal)) {
          tell({ type: "heard", event });
          listening.current.onEvent(event);
        }
        tell({ type: "ended" });
      } catch (error) {
        tell(isAbort(error) ? { type: "stopped" } : { type: "broken", problem: explain(error) });
      } finally {
        streams.current.delete(thread);
        listening.current.onEnd();
      }
    },
    [api],
  );

  const open = useCallback(
    async (thread: ThreadId) => {
      if (streams.current.has(thread)) return;
      dispatch({ thread, action: { type: "opened" } });
      try {
        const messages = await api.threads.messages(thread);
        dispatch({ thread, action: { type: "loaded", messages } });
        const last = messages.at(-1);
        if (last?.role === "user") await answer(thread, last, undefined);
      } catch (error) {
        dispatch({ thread, action: { type: "unloadable", problem: explain(error) } });
      }
    },
    [api, answer],
  );

  const ask = useCallback(
    (thread: ThreadId, text: string, model: string | undefined) =>
      answer(thread, { id: newMessageId(), text }, model),
    [answer],
  );

  const stop = useCallback(
    async (thread: ThreadId) => {
      const stream = streams.current.get(thread);
      if (stream === undefined) return;
      dispatch({ thread, action: { type: "stopping" } });
      try {
        await api.runs.cancel(thread);
        setTimeout(() => stream.abort(), STOP_PATIENCE_MS);
      } catch {
        stream.abort();
      }
    },
    [api],
  );

  return { chats, open, ask, answer, stop };
}
