import { readAllPages, type Client } from "./connection";
import type {
  Divergence,
  ForgetResult,
  ListedThread,
  MessageFeedback,
  MessageId,
  Page,
  SavedMessage,
  Thread,
  ThreadId,
  ThreadUpdate,
} from "./types";

export function threadsApi({ call, read }: Client) {
  return {
    /** One page of the list, pinned threads first; or of the archive. */
    list: (before: string | null, signal?: AbortSignal, archived = false) =>
      read<Page<ListedThread>>("/threads", {
        query: { limit: 30, before, archived: archived || null },
        signal,
      }),
    search: (q: string, before: string | null, signal?: AbortSignal) =>
      read<Page<ListedThread>>("/threads", { query: { limit: 30, q, before }, signal }),
    get: (thread: ThreadId) => read<Thread>(`/threads/${thread}`),
    messages: (thread: ThreadId, signal?: AbortSignal) =>
      readAllPages((cursor) =>
        read<Page<SavedMessage>>(`/threads/${thread}/messages`, {
          query: { limit: 500, cursor },
          signal,
        }),
      ),
    /** The places where branches continue differently, in order. */
    branches: async (thread: ThreadId) =>
      (await read<Page<Divergence>>(`/threads/${thread}/branches`)).items,
    /** Create a thread with the messages before one. */
    branch: async (thread: ThreadId, before: MessageId) => {
      const body = { before };
      const branch = await read<Thread>(`/threads/${thread}/branches`, { method: "POST", body });
      return branch.thread_id;
    },
    /** Rate an answer; null removes the rating. */
    rate: (thread: ThreadId, answer: MessageId, feedback: MessageFeedback | null) =>
      call(`/threads/${thread}/messages/${answer}/feedback`, {
        method: "POST",
        body: feedback ?? { rating: null },
      }),
    update: (thread: ThreadId, changes: ThreadUpdate) =>
      read<Thread>(`/threads/${thread}`, { method: "PATCH", body: changes }),
    /** Resolves to the number of memories that were deleted with the thread. */
    remove: async (thread: ThreadId, forget: boolean) => {
      const query = { forget: forget || null };
      const response = await call(`/threads/${thread}`, { method: "DELETE", query });
      return response.status === 204 ? 0 : ((await response.json()) as ForgetResult).forgotten;
    },
  };
}
