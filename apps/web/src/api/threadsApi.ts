import { readAllPages, type Client } from "./connection";
import type { ForgetResult, ListedThread, Page, SavedMessage, Thread, ThreadId } from "./types";

export function threadsApi({ call, read }: Client) {
  return {
    list: (before: string | null, signal?: AbortSignal) =>
      read<Page<ListedThread>>("/threads", { query: { limit: 30, before }, signal }),
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
    rename: (thread: ThreadId, title: string) =>
      read<Thread>(`/threads/${thread}`, { method: "PATCH", body: { title } }),
    /** Resolves to the number of memories that were deleted with the thread. */
    remove: async (thread: ThreadId, forget: boolean) => {
      const query = { forget: forget || null };
      const response = await call(`/threads/${thread}`, { method: "DELETE", query });
      return response.status === 204 ? 0 : ((await response.json()) as ForgetResult).forgotten;
    },
  };
}
