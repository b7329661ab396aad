import {
  useExternalStoreRuntime,
  type AppendMessage,
  type ThreadMessageLike,
} from "@assistant-ui/react";
import type { MessageId } from "../api/types";
import { isRunning, questionOf, type Chat } from "./chat";
import type { Message } from "./messages";

type Props = {
  chat: Chat;
  /** The latest messages. */
  visible: readonly Message[];
  sendDisabled: boolean;
  onSend: (text: string) => void;
  /** Send a text in the place of a message; with null, the default model answers. */
  onBranch: (before: MessageId, text: string, model: string | null) => Promise<void>;
  onStop: () => void;
};

/** Connect assistant-ui with a chat. */
export function useThreadRuntime({ chat, visible, sendDisabled, ...actions }: Props) {
  const { onSend, onBranch, onStop } = actions;
  return useExternalStoreRuntime<Message>({
    messages: visible,
    isRunning: isRunning(chat),
    isSendDisabled: sendDisabled,
    convertMessage,
    onNew: (message) => Promise.resolve(onSend(textOf(message))),
    onEdit: async (message) => {
      const question = questionOf(chat, message.sourceId ?? "");
      if (question !== null) await onBranch(question.id, textOf(message).trim(), null);
    },
    onReload: async (_, { sourceId, runConfig }) => {
      const question = questionOf(chat, sourceId ?? "");
      const model = runConfig?.custom?.["model"];
      if (question === null) return;
      await onBranch(question.id, question.text, typeof model === "string" ? model : null);
    },
    onCancel: () => Promise.resolve(onStop()),
  });
}

function convertMessage({ id, role, text }: Message): ThreadMessageLike {
  return { id, role, content: text === "" ? [] : [{ type: "text", text }] };
}

function textOf({ content }: AppendMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
