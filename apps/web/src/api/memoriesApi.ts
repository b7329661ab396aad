import { streamChanges, type Client } from "./connection";
import type {
  FactLimit,
  FlushResult,
  FormationStatus,
  ImportResult,
  MapPoint,
  Memory,
  MemoryChange,
  MemoryFeedback,
  MemoryId,
  MemoryKind,
  MemoryMap,
  MemoryVersion,
  MessageId,
  Page,
  PendingMessage,
  Profile,
  Receipt,
} from "./types";

export type MemoryFilter = { readonly kind: MemoryKind | null; readonly query: string };

const PAGE_SIZE = 30;

export function memoriesApi({ call, read }: Client) {
  return {
    list: (
      { kind, query }: MemoryFilter,
      cursor: string | null,
      signal?: AbortSignal,
      limit = PAGE_SIZE,
    ) =>
      read<Page<Memory>>("/memories", { query: { limit, kind, q: query || null, cursor }, signal }),
    /** The newest changes, newest first; at most 200. */
    timeline: (limit: number, signal?: AbortSignal) =>
      read<Page<MemoryChange>>("/memories/timeline", { query: { limit }, signal }),
    /** The changes after an event or, with null, from now on; the stream ends only if it breaks. */
    changes: (signal: AbortSignal, lastEventId: string | null) => {
      const headers: Record<string, string> =
        lastEventId === null ? {} : { "Last-Event-ID": lastEventId };
      return streamChanges(call("/memories/changes", { headers, signal }));
    },
    /** One page of the log of changes, the latest first. */
    changePage: (cursor: string | null, signal?: AbortSignal) =>
      read<Page<MemoryChange>>("/memories/timeline", { query: { limit: 200, cursor }, signal }),
    get: (memory: MemoryId, signal?: AbortSignal) =>
      read<Memory>(`/memories/${memory}`, { signal }),
    /** The position of each memory on a map. */
    map: async (signal?: AbortSignal) =>
      (await read<MemoryMap>("/memories/map", { signal })).points as readonly MapPoint[],
    add: (kind: MemoryKind, text: string) =>
      read<Memory>("/memories", { method: "POST", body: { kind, text } }),
    edit: (memory: MemoryId, text: string) =>
      read<Memory>(`/memories/${memory}`, { method: "PATCH", body: { text } }),
    setPinned: (memory: MemoryId, pinned: boolean) =>
      read<Memory>(`/memories/${memory}`, { method: "PATCH", body: { pinned } }),
    remove: (memory: MemoryId) =>
      call(`/memories/${memory}`, { method: "DELETE", keepalive: true }),
    /** Resolves to the number of deleted documents of each kind. */
    removeAll: async () => (await read<Receipt>("/memories", { method: "DELETE" })).deleted,
    history: async (memory: MemoryId, signal?: AbortSignal) =>
      (await read<Page<MemoryVersion>>(`/memories/${memory}/history`, { signal })).items,
    /** Resolves to the restored memory, or null if there is none. */
    undo: async (memory: MemoryId) => {
      const response = await call(`/memories/${memory}/undo`, { method: "POST" });
      return response.status === 204 ? null : ((await response.json()) as Memory);
    },
    profile: (signal?: AbortSignal) => read<Profile>("/profile", { signal }),
    formation: (signal?: AbortSignal) => read<FormationStatus>("/memories/formation", { signal }),
    limit: (signal?: AbortSignal) => read<FactLimit>("/memories/limit", { signal }),
    /** The messages that are not yet processed, the oldest first. */
    inbox: async (signal?: AbortSignal) =>
      (await read<Page<PendingMessage>>("/memories/inbox", { signal })).items,
    /** Keep a message from becoming a memory. */
    withdraw: (message: MessageId) => call(`/memories/inbox/${message}`, { method: "DELETE" }),
    /** Retire a memory that is wrong, or lower its weight for messages like one. */
    giveFeedback: (memory: MemoryId, feedback: MemoryFeedback) =>
      call(`/memories/${memory}/feedback`, { method: "POST", body: feedback }),
    flush: () => read<FlushResult>("/memories/flush", { method: "POST" }),
    export: async () => (await call("/memories/export")).blob(),
    /** Import a file of Keepsake or another application; with `dryRun`, show what would be imported. */
    import: (file: Blob, dryRun = false) =>
      read<ImportResult>("/memories/import", {
        method: "POST",
        body: file,
        query: { dry_run: dryRun || null },
      }),
  };
}
