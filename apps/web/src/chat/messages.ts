import type {
  Divergence,
  MessageFeedback,
  MessageId,
  RecalledMemory,
  SavedMessage,
  WebSource,
} from "../api/types";
import type { ToolStep } from "./steps";

/** What an answer's prompt contains about the user. */
export type Recall = {
  readonly memories: readonly RecalledMemory[];
  /** Standing memories without room in the prompt; empty for a saved message. */
  readonly omitted: readonly RecalledMemory[];
  readonly degraded: boolean;
};

export type Message = {
  readonly id: MessageId;
  /** The id that the gateway has given it; null until then. */
  readonly savedId: MessageId | null;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** When it was saved; null if that was after the thread was opened. */
  readonly ts: string | null;
  readonly recall: Recall | null;
  /** In the order in which they started. */
  readonly steps: readonly ToolStep[];
  /** What web searches found for this answer. */
  readonly sources: readonly WebSource[];
  /** The model that wrote this answer; null if that is unknown. */
  readonly model: string | null;
  /** True if the user stopped this answer. */
  readonly stopped: boolean;
  /** Why the answer is cut off, if the user did not stop it. */
  readonly cutOff: CutOff | null;
  /** What the user thinks of this answer. */
  readonly feedback: MessageFeedback | null;
  /** The branches that have different messages in its place; null if there are none. */
  readonly branches: Divergence | null;
};

export type CutOff = "length" | "content_filter" | "failed";

export type UserMessage = { readonly id: MessageId; readonly text: string };

/** Convert a message of the transcript. */
export function toMessage(saved: SavedMessage, branches: Divergence | null): Message {
  const { id, role, text, ts, memories, status, finish_reason } = saved;
  const { feedback = null, sources = [], model = null } = saved;
  return {
    ...{ id, savedId: id, role, text, ts, feedback, sources, model, branches, steps: [] },
    recall: role === "assistant" && memories ? { memories, omitted: [], degraded: false } : null,
    stopped: status === "cancelled",
    cutOff: status === "failed" ? "failed" : (finish_reason ?? null),
  };
}

const NEW_MESSAGE = {
  savedId: null,
  ts: null,
  recall: null,
  steps: [],
  sources: [],
  model: null,
  stopped: false,
  cutOff: null,
  feedback: null,
  branches: null,
};

/** A local id for the answer to a message; a retry gets the same id. */
function answerId(message: MessageId): MessageId {
  return `answer-${message}` as MessageId;
}

/** A new message of the user, and its answer before it has any text. */
export function newExchange(
  { id, text }: UserMessage,
  branches: Divergence | null,
): readonly [Message, Message] {
  return [
    { ...NEW_MESSAGE, id, savedId: id, role: "user", text, branches },
    { ...NEW_MESSAGE, id: answerId(id), role: "assistant", text: "" },
  ];
}
