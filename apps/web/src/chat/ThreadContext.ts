import { createContext, use } from "react";
import type { Api } from "../api/client";
import type { Config, MemoryId, MessageFeedback, MessageId, ThreadId } from "../api/types";
import type { Chips } from "../remembering/chips";
import type { PendingMessages } from "../remembering/usePendingMessages";
import type { Message } from "./messages";

/** Rate an answer; null removes the rating. Rejects if it could not be saved. */
export type Rate = (
  thread: ThreadId,
  answer: Message,
  feedback: MessageFeedback | null,
) => Promise<void>;

/** What the messages of a thread need besides their own content. */
export type ThreadContextValue = {
  readonly api: Api;
  readonly thread: ThreadId;
  readonly chips: Chips;
  readonly pending: PendingMessages;
  readonly models: Config["models"];
  readonly onRate: Rate;
  /** Undo the latest change of a memory. */
  readonly onUndo: (memory: MemoryId) => Promise<unknown>;
  /** Keep a pending message from becoming a memory. */
  readonly onWithdraw: (message: MessageId) => Promise<void>;
  /** Forget a memory, with time to undo; from then on it is in `forgotten`. */
  readonly onForget: (memory: MemoryId, text: string) => void;
  /** Retire a memory that is wrong, with undo; while it is retired, it is in `forgotten`. */
  readonly onWrong: (memory: MemoryId, text: string, answer: MessageId | null) => void;
  readonly forgotten: ReadonlySet<MemoryId>;
  /** The memories that were forgotten and restored in messages of this thread. */
  readonly restored: ReadonlySet<MemoryId>;
  /** Called after a memory was changed here. */
  readonly onMemoryChange: () => void;
};

export const ThreadContext = createContext<ThreadContextValue | null>(null);

export function useThread(): ThreadContextValue {
  const value = use(ThreadContext);
  if (value === null) throw new Error("useThread requires a ThreadContext");
  return value;
}
