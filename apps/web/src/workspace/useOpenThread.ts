import { useEffect } from "react";
import type { Api } from "../api/client";
import { NEW_CHAT, OPENING_CHAT, unanswered } from "../chat/chat";
import { useChats, type ChatListener } from "../chat/useChats";
import { useThreadRoute } from "./useThreadRoute";

/** The thread that the address names, and what the user can do in it. */
export function useOpenThread(api: Api, listener: ChatListener) {
  const { route, settle, leave } = useThreadRoute();
  const { chats, open, ask, answer, stop } = useChats(api, listener);
  const { thread, isNew } = route;
  useEffect(() => {
    if (!isNew) void open(thread);
  }, [open, thread, isNew]);

  const chat = chats[thread] ?? (isNew ? NEW_CHAT : OPENING_CHAT);
  return {
    thread,
    isNew,
    chat,
    leave,
    ask: (text: string, model: string | undefined) => {
      void ask(thread, text, model);
      if (isNew) settle(thread);
    },
    retry: (model: string | undefined) => {
      const question = unanswered(chat);
      if (question !== null) void answer(thread, question, model);
    },
    reload: () => void open(thread),
    stop: () => void stop(thread),
  };
}
