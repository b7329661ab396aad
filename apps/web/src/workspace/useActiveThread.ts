import { useEffect } from "react";
import type { Api, RunOptions } from "../api/client";
import type { ThreadId } from "../api/types";
import {
  LOADING_CHAT,
  NEW_CHAT,
  NEW_TEMPORARY_CHAT,
  unansweredMessage,
  type Chat,
  type Outgoing,
} from "../chat/chat";
import { useChats } from "../chat/useChats";
import type { RunListener } from "../chat/useRunStreams";
import { useThreadRoute, type ThreadRoute } from "./useThreadRoute";

type Listener = RunListener & {
  /** Not called for temporary chats. */
  readonly onSend: (thread: ThreadId, text: string) => void;
};

export type ActiveThread = ReturnType<typeof useActiveThread>;

/** The thread in the URL, and the actions for its chat. */
export function useActiveThread(api: Api, user: string, listener: Listener) {
  const { route, replaceUrl, openNewThread } = useThreadRoute();
  const { chats, load, send, run, stop, withdraw } = useChats(api, user, listener);
  const { thread, isNew } = route;
  useEffect(() => {
    if (!isNew) void load(thread);
  }, [load, thread, isNew]);

  const chat = chats[thread] ?? initialChat(route);
  const { temporary } = chat;
  return {
    thread,
    isNew,
    chat,
    openNewThread,
    send: (text: string, options: RunOptions) => {
      if (!temporary) listener.onSend(thread, text);
      send(thread, text, { ...options, temporary });
      if (isNew) replaceUrl(thread);
    },
    retry: (options: RunOptions) => {
      const message = unansweredMessage(chat);
      if (message !== null) void run(thread, message, { ...options, temporary });
    },
    resend: (message: Outgoing) => void run(thread, message, message.options),
    withdraw: (message: Outgoing) => withdraw(thread, message),
    reload: () => void load(thread),
    stop: () => void stop(thread),
  };
}

function initialChat({ isNew, temporary }: ThreadRoute): Chat {
  if (!isNew) return LOADING_CHAT;
  return temporary ? NEW_TEMPORARY_CHAT : NEW_CHAT;
}
