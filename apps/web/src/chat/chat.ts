import type { RunEvent } from "../api/events";
import { STREAM_BROKEN, type Problem } from "../api/problem";
import type { MessageId, RecalledMemory, SavedMessage } from "../api/types";
import { begin, finish, giveUp, toolLabel, type Tool } from "./tools";

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
  /** What the answer did besides talking, in order. */
  readonly tools: readonly Tool[];
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
  /** Nothing of it is kept. */
  readonly temporary: boolean;
  readonly messages: readonly Message[];
  readonly run: Run;
  /** What a screen reader is told: that an answer begins, and at its end the whole of it. */
  readonly announcement: string;
};

export type Question = { readonly id: MessageId; readonly text: string };

export type ChatAction =
  | { type: "opened" }
  | { type: "loaded"; messages: readonly SavedMessage[]; temporary: boolean }
  | { type: "unloadable"; problem: Problem }
  | { type: "asked"; question: Question; temporary: boolean }
  | { type: "heard"; event: RunEvent }
  | { type: "stopping" }
  | { type: "stopped" }
  | { type: "broken"; problem: Problem }
  | { type: "ended" };

export const NEW_CHAT: Chat = {
  history: "loaded",
  temporary: false,
  messages: [],
  run: { state: "idle" },
  announcement: "",
};

export const TEMPORARY_CHAT: Chat = { ...NEW_CHAT, temporary: true };

/** A thread that has an address, before its messages are here. */
export const OPENING_CHAT: Chat = { ...NEW_CHAT, history: "loading" };

const IDLE: Run = { state: "idle" };

export function chatReducer(chat: Chat, action: ChatAction): Chat {
  switch (action.type) {
    case "opened":
      return { ...chat, history: chat.messages.length === 0 ? "loading" : chat.history };
    case "loaded":
      return isAnswering(chat) ? chat : load(action.messages, action.temporary);
    case "unloadable":
      return chat.messages.length > 0 ? chat : { ...chat, history: action.problem };
    case "asked":
      return ask(chat, action.question, action.temporary);
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

function load(messages: readonly SavedMessage[], temporary: boolean): Chat {
  const broken = messages.at(-1)?.status === "failed";
  const run: Run = broken ? { state: "failed", problem: STREAM_BROKEN } : IDLE;
  return { ...NEW_CHAT, temporary, messages: messages.map(restore), run };
}

function restore({ id, role, text, memories, status }: SavedMessage): Message {
  const recalled = role === "assistant" && memories ? { memories, degraded: false } : null;
  return { id, role, text, recalled, tools: [], stopped: status === "cancelled" };
}

function ask(chat: Chat, { id, text }: Question, temporary: boolean): Chat {
  const asked = chat.messages.findIndex((message) => message.id === id);
  const before = asked === -1 ? chat.messages : chat.messages.slice(0, asked);
  const blank = { recalled: null, tools: [], stopped: false };
  return {
    history: "loaded",
    temporary,
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
    case "tool.started":
      return announce(
        amend(chat, ({ tools }) => ({ tools: begin(tools, event.call) })),
        toolLabel({ tool: event.call.tool, state: "running" }),
      );
    case "tool.finished":
      return amend(chat, ({ tools }) => ({ tools: finish(tools, event) }));
    case "message.completed":
      return amend(chat, () => ({ text: event.text }));
    case "run.finished":
      return event.status === "cancelled" ? stop(chat) : conclude(chat);
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

function announce(chat: Chat, announcement: string): Chat {
  return isAnswering(chat) ? { ...chat, announcement } : chat;
}

function conclude(chat: Chat): Chat {
  return { ...chat, run: IDLE, announcement: chat.messages.at(-1)?.text ?? "" };
}

function stop(chat: Chat): Chat {
  if (!isAnswering(chat)) return chat;
  const stopped = amend(chat, ({ tools }) => ({ stopped: true, tools: giveUp(tools) }));
  return { ...stopped, run: IDLE, announcement: "Stopped." };
}

function fail(chat: Chat, problem: Problem): Chat {
  const failed = amend(chat, ({ tools }) => ({ tools: giveUp(tools) }));
  return { ...failed, run: { state: "failed", problem }, announcement: "" };
}
