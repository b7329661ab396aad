import type { RunEvent } from "../api/events";
import { STREAM_BROKEN, type Problem } from "../api/problem";
import type { MessageId, RecalledMemory, SavedMessage } from "../api/types";

/** What memory gave to an answer. */
export type Recalled = {
  readonly memories: readonly RecalledMemory[];
  readonly degraded: boolean;
};

export type Message = {
  readonly id: MessageId;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly recalled: Recalled | null;
  /** The user stopped this answer before its end. */
  readonly stopped: boolean;
};

export type Run =
  | { readonly state: "idle" }
  | { readonly state: "answering"; readonly stopping: boolean }
  | { readonly state: "failed"; readonly problem: Problem };

/** One thread as the page sees it. The messages are in order, the oldest first. */
export type Chat = {
  readonly history: "loading" | "loaded" | Problem;
  readonly messages: readonly Message[];
  readonly run: Run;
  /** What a screen reader is told: that an answer begins, and at its end the whole of it. */
  readonly announcement: string;
};

export type Question = { readonly id: MessageId; readonly text: string };

export type ChatAction =
  | { type: "opened" }
  | { type: "loaded"; messages: readonly SavedMessage[] }
  | { type: "unloadable"; problem: Problem }
  | { type: "asked"; question: Question }
  | { type: "heard"; event: RunEvent }
  | { type: "stopping" }
  | { type: "stopped" }
  | { type: "broken"; problem: Problem }
  | { type: "ended" };

export const NEW_CHAT: Chat = {
  history: "loaded",
  messages: [],
  run: { state: "idle" },
  announcement: "",
};

/** A thread that has an address, before its messages are here. */
export const OPENING_CHAT: Chat = { ...NEW_CHAT, history: "loading" };

const IDLE: Run = { state: "idle" };

export function chatReducer(chat: Chat, action: ChatAction): Chat {
  switch (action.type) {
    case "opened":
      return { ...chat, history: chat.messages.length === 0 ? "loading" : chat.history };
    case "loaded":
      return isAnswering(chat) ? chat : { ...NEW_CHAT, messages: action.messages.map(restore) };
    case "unloadable":
      return chat.messages.length > 0 ? chat : { ...chat, history: action.problem };
    case "asked":
      return ask(chat, action.question);
    case "heard":
      return hear(chat, action.event);
    case "stopping":
      return isAnswering(chat) ? { ...chat, run: { state: "answering", stopping: true } } : chat;
    case "stopped":
      return stop(chat);
    case "broken":
      return fail(chat, action.problem);
    case "ended":
      return isAnswering(chat) ? fail(chat, STREAM_BROKEN) : chat;
  }
}

/** The last message of the user when nothing has answered it, or what came in answer broke off. */
export function unanswered(chat: Chat): Question | null {
  const last = chat.messages.at(-1);
  if (last?.role === "user") return last;
  return chat.run.state === "failed" ? (chat.messages.at(-2) ?? null) : null;
}

export function isAnswering(chat: Chat): boolean {
  return chat.run.state === "answering";
}

/** The page's own id for the answer to a question: the same when it is asked again. */
export function answerTo(question: MessageId): MessageId {
  return `answer-${question}` as MessageId;
}

function restore({ id, role, text, memories }: SavedMessage): Message {
  const recalled = role === "assistant" && memories ? { memories, degraded: false } : null;
  return { id, role, text, recalled, stopped: false };
}

function ask(chat: Chat, { id, text }: Question): Chat {
  const asked = chat.messages.findIndex((message) => message.id === id);
  const before = asked === -1 ? chat.messages : chat.messages.slice(0, asked);
  const blank = { recalled: null, stopped: false };
  return {
    history: "loaded",
    messages: [
      ...before,
      { id, role: "user", text, ...blank },
      { id: answerTo(id), role: "assistant", text: "", ...blank },
    ],
    run: { state: "answering", stopping: false },
    announcement: "Keepsake is answering.",
  };
}

function hear(chat: Chat, event: RunEvent): Chat {
  switch (event.name) {
    case "memory.recalled": {
      const { memories, degraded } = event;
      return amend(chat, () => ({ recalled: { memories, degraded } }));
    }
    case "token":
      return amend(chat, (answer) => ({ text: answer.text + event.text }));
    case "message.completed":
      return amend(chat, () => ({ text: event.text }));
    case "run.finished":
      return event.status === "cancelled" ? stop(chat) : finish(chat);
    case "run.failed":
      return fail(chat, event.problem);
    case "run.started":
    case "memory.scheduled":
      return chat;
  }
}

function amend(chat: Chat, change: (answer: Message) => Partial<Message>): Chat {
  const answer = chat.messages.at(-1);
  if (!isAnswering(chat) || answer?.role !== "assistant") return chat;
  return { ...chat, messages: [...chat.messages.slice(0, -1), { ...answer, ...change(answer) }] };
}

function finish(chat: Chat): Chat {
  return { ...chat, run: IDLE, announcement: chat.messages.at(-1)?.text ?? "" };
}

function stop(chat: Chat): Chat {
  if (!isAnswering(chat)) return chat;
  return { ...amend(chat, () => ({ stopped: true })), run: IDLE, announcement: "Stopped." };
}

function fail(chat: Chat, problem: Problem): Chat {
  return { ...chat, run: { state: "failed", problem }, announcement: "" };
}
