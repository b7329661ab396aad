import { useEffect } from "react";
import type { Api, RunOptions } from "../api/client";
import type { MessageId, ThreadId, UserId } from "../api/types";
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
  /** Not called for temporary chats; `branches` are the threads of the same conversation. */
  readonly onSend: (thread: ThreadId, text: string, branches: readonly ThreadId[]) => void;
};

export type ActiveThread = ReturnType<typeof useActiveThread>;

/** The thread in the URL, and the actions for its chat. */
export function useActiveThread(api: Api, user: UserId, listener: Listener) {
  const { route, replaceUrl, openThread } = useThreadRoute();
  const { chats, load, send, run, stop, withdraw, rate } = useChats(api, user, listener);
  const { thread, isNew } = route;
  useEffect(() => {
    if (!isNew) void load(thread);
  }, [load, thread, isNew]);

  const chat = chats[thread] ?? initialChat(route);
  const { temporary } = chat;
  const branches = conversationOf(thread, chat);
  const sendTo = (target: ThreadId, text: string, options: RunOptions) => {
    if (!temporary) listener.onSend(target, text, branches);
    send(target, text, { ...options, temporary });
  };
  return {
    thread,
    isNew,
    chat,
    /** The threads of the same conversation, also this one. */
    branches,
    openNewThread: () => openThread(null),
    send: (text: string, options: RunOptions) => {
      sendTo(thread, text, options);
      if (isNew) replaceUrl(thread);
    },
    /** Send a text in the place of a message, in a new branch, and show that. */
    branch: async (before: MessageId, text: string, options: RunOptions) => {
      const branch = await api.threads.branch(thread, before);
      await load(branch);
      sendTo(branch, text, options);
      openThread(branch);
    },
    rate,
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

function conversationOf(thread: ThreadId, { branches }: Chat): readonly ThreadId[] {
  return [...new Set([thread, ...branches.flatMap(({ threads }) => threads)])];
}

function initialChat({ isNew, temporary }: ThreadRoute): Chat {
  if (!isNew) return LOADING_CHAT;
  return temporary ? NEW_TEMPORARY_CHAT : NEW_CHAT;
}
