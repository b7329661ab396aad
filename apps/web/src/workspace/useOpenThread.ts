import { useEffect } from "react";
import type { Api, Choices } from "../api/client";
import type { ThreadId } from "../api/types";
import { NEW_CHAT, OPENING_CHAT, TEMPORARY_CHAT, unanswered, type Chat } from "../chat/chat";
import { useChats } from "../chat/useChats";
import type { StreamListener } from "../chat/useStreams";
import { useThreadRoute, type ThreadRoute } from "./useThreadRoute";

type Listener = StreamListener & {
  /** Somebody speaks in a thread that lasts. */
  readonly onSpeak: (thread: ThreadId, text: string) => void;
};

/** The thread that the address names, and what the user can do in it. */
export function useOpenThread(api: Api, listener: Listener) {
  const { route, settle, leave } = useThreadRoute();
  const { chats, open, ask, answer, stop } = useChats(api, listener);
  const { thread, isNew } = route;
  useEffect(() => {
    if (!isNew) void open(thread);
  }, [open, thread, isNew]);

  const chat = chats[thread] ?? unopened(route);
  const { temporary } = chat;
  return {
    thread,
    isNew,
    chat,
    leave,
    ask: (text: string, choices: Choices) => {
      if (!temporary) listener.onSpeak(thread, text);
      void ask(thread, text, { ...choices, temporary });
      if (isNew) settle(thread);
    },
    retry: (choices: Choices) => {
      const question = unanswered(chat);
      if (question !== null) void answer(thread, question, { ...choices, temporary });
    },
    reload: () => void open(thread),
    stop: () => void stop(thread),
  };
}

function unopened({ isNew, temporary }: ThreadRoute): Chat {
  if (!isNew) return OPENING_CHAT;
  return temporary ? TEMPORARY_CHAT : NEW_CHAT;
}
