import { STREAM_BROKEN } from "../api/problem";
import type {
  Divergence,
  MessageFeedback,
  MessageId,
  Problem,
  RunEvent,
  SavedMessage,
} from "../api/types";
import type { Announcement } from "./announcement";
import type { OutboxMessage } from "../drafts/outbox";
import { newExchange, toMessage, type Message, type UserMessage } from "./messages";
import { failRunningSteps, finishStep, startStep } from "./steps";

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
  /** Where branches of the conversation continue differently. */
  readonly branches: readonly Divergence[];
  /** In the order in which they will be sent. */
  readonly outgoing: readonly Outgoing[];
  readonly run: Run;
  readonly announcement: Announcement;
};

export type LoadedThread = {
  readonly messages: readonly SavedMessage[];
  readonly branches: readonly Divergence[];
  readonly temporary: boolean;
};

export type ChatAction =
  | { type: "loadStarted" }
  | ({ type: "loaded" } & LoadedThread)
  | { type: "loadFailed"; problem: Problem }
  | { type: "messageQueued"; message: Outgoing }
  | { type: "messageSent"; message: UserMessage; temporary: boolean }
  | { type: "messageNotSent"; message: Outgoing }
  | { type: "messageWithdrawn"; id: MessageId }
  | { type: "rated"; id: MessageId; feedback: MessageFeedback | null }
  | { type: "eventReceived"; event: RunEvent }
  | { type: "stopRequested" }
  | { type: "stopped" }
  | { type: "streamFailed"; problem: Problem }
  | { type: "streamEnded" };

export const NEW_CHAT: Chat = {
  history: "loaded",
  temporary: false,
  messages: [],
  branches: [],
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
      return isRunning(chat) ? chat : replaceMessages(chat, action);
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
    case "rated": {
      const { id, feedback } = action;
      const rate = (message: Message) => (message.id === id ? { ...message, feedback } : message);
      return { ...chat, messages: chat.messages.map(rate) };
    }
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

/** The user's message that a message answers, or the message itself if it is the user's. */
export function questionOf({ messages }: Chat, id: string): UserMessage | null {
  const index = messages.findIndex((message) => message.id === id);
  return messages.slice(0, index + 1).findLast(({ role }) => role === "user") ?? null;
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

function replaceMessages(chat: Chat, { messages, branches, temporary }: LoadedThread): Chat {
  const failed = messages.at(-1)?.status === "failed";
  const run: Run = failed ? { state: "failed", problem: STREAM_BROKEN } : IDLE;
  const ids = new Set(messages.map(({ id }) => id));
  const outgoing = chat.outgoing.filter(({ id }) => !ids.has(id));
  const saved = messages.map((message, index) => toMessage(message, branchesAt(branches, index)));
  return { ...NEW_CHAT, temporary, messages: saved, branches, outgoing, run };
}

function branchesAt(branches: readonly Divergence[], index: number): Divergence | null {
  return branches.find(({ position }) => position === index) ?? null;
}

function startRun(chat: Chat, message: UserMessage, temporary: boolean): Chat {
  const { id } = message;
  const index = chat.messages.findIndex((other) => other.id === id);
  const earlier = index === -1 ? chat.messages : chat.messages.slice(0, index);
  return {
    ...chat,
    history: "loaded",
    temporary,
    outgoing: withoutMessage(chat, id),
    messages: [...earlier, ...newExchange(message, branchesAt(chat.branches, earlier.length))],
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
        savedId: data.message_id as MessageId,
        text: data.text,
        sources: data.sources,
        model: data.model,
        cutOff: data.finish_reason === "stop" ? null : data.finish_reason,
      }));
    case "run.finished":
      return data.status === "cancelled" ? stopRun(chat) : completeRun(chat);
    case "run.failed":
      return failRun(chat, data.problem);
    case "run.started":
    case "memory.scheduled":
    case "reconnect":
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
