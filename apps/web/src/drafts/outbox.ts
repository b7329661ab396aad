import type { RunOptions } from "../api/client";
import type { MessageId, Problem, ThreadId, UserId } from "../api/types";
import { outboxKey, trySetItem } from "./drafts";

/** A message that the gateway does not have yet. Its id makes sending it twice harmless. */
export type OutboxMessage = {
  readonly thread: ThreadId;
  readonly id: MessageId;
  readonly text: string;
  readonly options: RunOptions;
  /** Why it was rejected; null while it waits for the network. */
  readonly problem: Problem | null;
};

export type Outbox = ReturnType<typeof createOutbox>;

/** The messages of a user that are not sent yet, oldest first; they survive a reload. */
export function createOutbox(storage: Storage, user: UserId) {
  const key = outboxKey(user);
  const list = () => parse(storage.getItem(key));
  const store = (messages: readonly OutboxMessage[]) => {
    if (messages.length === 0) storage.removeItem(key);
    else trySetItem(storage, key, JSON.stringify(messages));
  };
  return {
    list,
    /** Add a message, or replace the one with its id in place. Messages of temporary chats are not stored. */
    put: (message: OutboxMessage): void => {
      if (message.options.temporary === true) return;
      const messages = list();
      const known = messages.some(({ id }) => id === message.id);
      store(
        known
          ? messages.map((other) => (other.id === message.id ? message : other))
          : [...messages, message],
      );
    },
    remove: (id: MessageId): void => {
      const messages = list();
      const others = messages.filter((message) => message.id !== id);
      if (others.length < messages.length) store(others);
    },
  };
}

function parse(json: string | null): readonly OutboxMessage[] {
  if (json === null) return [];
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter(isOutboxMessage) : [];
  } catch {
    return [];
  }
}

function isOutboxMessage(value: unknown): value is OutboxMessage {
  if (typeof value !== "object" || value === null) return false;
  const { thread, id, text, options } = value as Record<string, unknown>;
  const isText = [thread, id, text].every((field) => typeof field === "string");
  return isText && typeof options === "object" && options !== null;
}
