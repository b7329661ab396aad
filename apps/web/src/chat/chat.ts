import { STREAM_BROKEN } from "../api/problem";
import type { MessageId, Problem, RecalledMemory, RunEvent, SavedMessage } from "../api/types";
import type { Announcement } from "./announcement";
import type { OutboxMessage } from "../drafts/outbox";
import { failRunningSteps, finishStep, startStep, type ToolStep } from "./steps";

/** What an answer's prompt contains about the user. */
export type Recall = {
  readonly memories: readonly RecalledMemory[];
  /** Standing memories without room in the prompt; empty for a saved message. */
  readonly omitted: readonly RecalledMemory[];
  readonly degraded: boolean;
};

export type Message = {
  readonly id: MessageId;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** When it was saved; null if that was after the thread was opened. */
  readonly ts: string | null;
  readonly recall: Recall | null;
  /** In the order in which they started. */
  readonly steps: readonly ToolStep[];
  /** True if the user stopped this answer. */
  readonly stopped: boolean;
  /** Why the answer is cut off, if the user did not stop it. */
  readonly cutOff: CutOff | null;
};

export type CutOff = "length" | "content_filter" | "failed";

export type Run =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly stopping: boolean }
  | { readonly state: "failed"; readonly problem: Problem };

/** A message that the gateway does not have yet. */
export type Outgoing = Omit<OutboxMessage, "thread">;

/** The state of one thread. Messages are sorted, oldest first. */
export type Chat = {
  readonly history: "loading" | "loaded" | Problem;
  readonly temporary: boolean;
  readonly messages: readonly Message[];
  /** In the order in which they will be sent. */
  readonly outgoing: readonly Outgoing[];
  readonly run: Run;
  readonly announcement: Announcement;
};

export type UserMessage = { readonly id: MessageId; readonly text: string };

export type ChatAction =
  | { type: "loadStarted" }
  | { type: "loaded"; messages: readonly SavedMessage[]; temporary: boolean }
  | { type: "loadFailed"; problem: Problem }
  | { type: "messageQueued"; message: Outgoing }
  | { type: "messageSent"; message: UserMessage; temporary: boolean }
  | { type: "messageNotSent"; message: Outgoing }
  | { type: "messageWithdrawn"; id: MessageId }
  | { type: "eventReceived"; event: RunEvent }
  | { type: "stopRequested" }
  | { type: "stopped" }
  | { type: "streamFailed"; problem: Problem }
  | { type: "streamEnded" };

export const NEW_CHAT: Chat = {
  history: "loaded",
  temporary: false,
  messages: [],
  outgoing: [],
  run: { state: "idle" },
  announcement: { type: "none" },
};

export const NEW_TEMPORARY_CHAT: Chat = { ...NEW_CHAT, temporary: true };

export const LOADING_CHAT: Chat = { ...NEW_CHAT, history: "loading" };

const IDLE: Run = { state: "idle" };

export function chatReducer(chat: Chat, action: ChatAction): Chat {
  switch (action.type) {
    case "loadStarted":
      return { ...chat, history: isEmpty(chat) ? "loading" : chat.history };
    case "loaded":
      return isRunning(chat) ? chat : replaceMessages(chat, action.messages, action.temporary);
    case "loadFailed":
      return chat.history === "loaded" ? chat : { ...chat, history: action.problem };
    case "messageQueued": {
      const outgoing = [...withoutMessage(chat, action.message.id), action.message];
      return { ...chat, temporary: action.message.options.temporary ?? false, outgoing };
    }
    case "messageSent":
      return startRun(chat, action.message, action.temporary);
    case "messageNotSent":
      return returnToOutgoing(chat, action.message);
    case "messageWithdrawn":
      return { ...chat, outgoing: withoutMessage(chat, action.id) };
    case "eventReceived":
      return applyEvent(chat, action.event);
    case "stopRequested":
      return isRunning(chat) ? { ...chat, run: { state: "running", stopping: true } } : chat;
    case "stopped":
      return stopRun(chat);
    case "streamFailed":
      return failRun(chat, action.problem);
    case "streamEnded":
      return isRunning(chat) ? failRun(chat, STREAM_BROKEN) : chat;
  }
}

/** The last user message if it has no complete answer, else null. */
export function unansweredMessage(chat: Chat): UserMessage | null {
  const last = chat.messages.at(-1);
  if (last?.role === "user") return last;
  return chat.run.state === "failed" ? (chat.messages.at(-2) ?? null) : null;
}

export function isRunning(chat: Chat): boolean {
  return chat.run.state === "running";
}

/** The message that is sent next; null if there is none, or if the first one was rejected. */
export function nextOutgoing({ outgoing }: Chat): Outgoing | null {
  const [first] = outgoing;
  return first?.problem === null ? first : null;
}

function isEmpty({ messages, outgoing }: Chat): boolean {
  return messages.length === 0 && outgoing.length === 0;
}

function withoutMessage({ outgoing }: Chat, id: MessageId): readonly Outgoing[] {
  return outgoing.filter((message) => message.id !== id);
}

/** Undo the start of a run that the gateway did not start. */
function returnToOutgoing(chat: Chat, message: Outgoing): Chat {
  const index = chat.messages.findIndex(({ id }) => id === message.id);
  return {
    ...chat,
    messages: index === -1 ? chat.messages : chat.messages.slice(0, index),
    outgoing: [message, ...withoutMessage(chat, message.id)],
    run: IDLE,
    announcement: NEW_CHAT.announcement,
  };
}

/** A local id for the answer to a message; a retry gets the same id. */
function answerId(message: MessageId): MessageId {
  return `answer-${message}` as MessageId;
}

function replaceMessages(chat: Chat, messages: readonly SavedMessage[], temporary: boolean): Chat {
  const failed = messages.at(-1)?.status === "failed";
  const run: Run = failed ? { state: "failed", problem: STREAM_BROKEN } : IDLE;
  const saved = new Set(messages.map(({ id }) => id));
  const outgoing = chat.outgoing.filter(({ id }) => !saved.has(id));
  return { ...NEW_CHAT, temporary, messages: messages.map(toMessage), outgoing, run };
}

function toMessage({ id, role, text, ts, memories, status, finish_reason }: SavedMessage): Message {
  const recall =
    role === "assistant" && memories ? { memories, omitted: [], degraded: false } : null;
  const cutOff = status === "failed" ? "failed" : (finish_reason ?? null);
  return { id, role, text, ts, recall, steps: [], stopped: status === "cancelled", cutOff };
}

function startRun(chat: Chat, { id, text }: UserMessage, temporary: boolean): Chat {
  const index = chat.messages.findIndex((message) => message.id === id);
  const earlier = index === -1 ? chat.messages : chat.messages.slice(0, index);
  const defaults = { ts: null, recall: null, steps: [], stopped: false, cutOff: null };
  return {
    history: "loaded",
    temporary,
    outgoing: withoutMessage(chat, id),
    messages: [
      ...earlier,
      { id, role: "user", text, ...defaults },
      { id: answerId(id), role: "assistant", text: "", ...defaults },
    ],
    run: { state: "running", stopping: false },
    announcement: { type: "answering" },
  };
}

function applyEvent(chat: Chat, { event, data }: RunEvent): Chat {
  switch (event) {
    case "memory.recalled": {
      const { memories, omitted, degraded } = data;
      return updateAnswer(chat, () => ({ recall: { memories, omitted, degraded } }));
    }
    case "token":
      return updateAnswer(chat, (answer) => ({ text: answer.text + data.text }));
    case "tool.started":
      return announce(
        updateAnswer(chat, ({ steps }) => ({ steps: startStep(steps, data) })),
        { type: "tool", name: data.name },
      );
    case "tool.finished":
      return updateAnswer(chat, ({ steps }) => ({ steps: finishStep(steps, data) }));
    case "message.completed":
      return updateAnswer(chat, () => ({
        text: data.text,
        cutOff: data.finish_reason === "stop" ? null : data.finish_reason,
      }));
    case "run.finished":
      return data.status === "cancelled" ? stopRun(chat) : completeRun(chat);
    case "run.failed":
      return failRun(chat, data.problem);
    case "run.started":
    case "memory.scheduled":
      return chat;
  }
}

function updateAnswer(chat: Chat, update: (answer: Message) => Partial<Message>): Chat {
  const answer = chat.messages.at(-1);
  if (!isRunning(chat) || answer?.role !== "assistant") return chat;
  return { ...chat, messages: [...chat.messages.slice(0, -1), { ...answer, ...update(answer) }] };
}

function announce(chat: Chat, announcement: Announcement): Chat {
  return isRunning(chat) ? { ...chat, announcement } : chat;
}

function completeRun(chat: Chat): Chat {
  return {
    ...chat,
    run: IDLE,
    announcement: { type: "answer", text: chat.messages.at(-1)?.text ?? "" },
  };
}

function stopRun(chat: Chat): Chat {
  if (!isRunning(chat)) return chat;
  const stopped = updateAnswer(chat, ({ steps }) => ({
    stopped: true,
    steps: failRunningSteps(steps),
  }));
  return { ...stopped, run: IDLE, announcement: { type: "stopped" } };
}

function failRun(chat: Chat, problem: Problem): Chat {
  const failed = updateAnswer(chat, ({ steps, text }) => ({
    steps: failRunningSteps(steps),
    cutOff: text === "" ? null : "failed",
  }));
  return { ...failed, run: { state: "failed", problem }, announcement: { type: "none" } };
}
