import { useCallback, useEffect, useReducer, type Dispatch } from "react";
import type { Api, MemoryFilter } from "../api/client";
import type { MemoryId, MemoryKind } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { useToast } from "../ui/toast";
import { useAttempt, type Attempt } from "../ui/useAttempt";
import { INITIAL_MEMORIES, memoriesReducer, type MemoriesAction } from "./memories";
import { deletionNotice, flushNotice } from "./notices";

const SEARCH_DEBOUNCE_MS = 200;

export type MemoryActions = ReturnType<typeof useMemories>["actions"];

/**
 * The memories that match the panel's filter, and actions to change them.
 *
 * @param version a number that changes when the memories may have changed elsewhere.
 * @param filter must be the same object until it changes.
 * @param pageSize at most 100.
 */
export function useMemories(api: Api, version: number, filter: MemoryFilter, pageSize = 30) {
  const strings = useStrings();
  const format = useFormat();
  const toast = useToast();
  const [memories, dispatch] = useReducer(memoriesReducer, INITIAL_MEMORIES);
  const { cursor } = memories;
  const attempt = useAttempt(dispatch, "failed");
  const attemptLoad = useAttempt(dispatch, "loadFailed");

  const list = useCallback(
    (signal?: AbortSignal) =>
      attemptLoad(async () => {
        dispatch({ type: "listed", page: await api.memories.list(filter, null, signal, pageSize) });
      }),
    [api, attemptLoad, filter, pageSize],
  );

  useEffect(() => {
    dispatch({ type: "loadStarted" });
    const controller = new AbortController();
    const debounceMs = filter.query === "" ? 0 : SEARCH_DEBOUNCE_MS;
    const timer = setTimeout(() => void list(controller.signal), debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [list, filter, version]);

  useEffect(() => {
    const controller = new AbortController();
    void attemptLoad(async () => {
      const { memory_enabled: enabled } = await api.account.get(controller.signal);
      dispatch({ type: "enabledChanged", enabled });
    });
    return () => controller.abort();
  }, [api, attemptLoad, version]);

  const showMore = () =>
    attempt(async () => {
      const page = await api.memories.list(filter, cursor, undefined, pageSize);
      dispatch({ type: "pageAdded", page });
    });

  /** Undo can also restore or remove other memories, so the list is reloaded. */
  const undo = (id: MemoryId) =>
    attempt(async () => {
      dispatch({ type: "undone", id, memory: await api.memories.undo(id) });
      await list();
      toast({ text: strings.memories.undone });
    });

  const flush = () =>
    attempt(async () => {
      dispatch({ type: "flushStarted" });
      const result = await api.memories.flush();
      await list();
      dispatch({ type: "flushed" });
      toast({ text: flushNotice(strings, format, result) });
    });

  /** Deleting is permanent, so it happens only when it can no longer be undone. */
  const remove = (id: MemoryId) => {
    dispatch({ type: "removed", id });
    toast({
      text: strings.memories.deleted,
      onUndo: () => dispatch({ type: "removalUndone", id, items: memories.items }),
      onExpire: () => void attempt(async () => void (await api.memories.remove(id))),
    });
  };

  const removeAll = () =>
    attempt(async () => {
      const deleted = await api.memories.removeAll();
      dispatch({ type: "allRemoved" });
      toast({ text: deletionNotice(strings, deleted) });
    });

  const actions = createActions(api, attempt, dispatch, list, (notice) =>
    toast({ text: strings.memories[notice] }),
  );
  return {
    memories,
    actions: { ...actions, remove, showMore, undo, flush, removeAll },
  };
}

type Notice = "added" | "updated";

function createActions(
  api: Api,
  attempt: Attempt,
  dispatch: Dispatch<MemoriesAction>,
  list: () => Promise<unknown>,
  notify: (notice: Notice) => void,
) {
  const add = (kind: MemoryKind, text: string) =>
    attempt(async () => {
      dispatch({ type: "added", memory: await api.memories.add(kind, text) });
      notify("added");
    });

  const edit = (id: MemoryId, text: string) =>
    attempt(async () => {
      dispatch({ type: "edited", id, memory: await api.memories.edit(id, text) });
      notify("updated");
    });

  /** Show the change at once, and revert it if it fails. A list that was being loaded may not have it. */
  const setPinned = async (id: MemoryId, pinned: boolean) => {
    dispatch({ type: "pinChanged", id, pinned });
    const succeeded = await attempt(async () => void (await api.memories.setPinned(id, pinned)));
    if (succeeded) await list();
    else dispatch({ type: "pinChanged", id, pinned: !pinned });
  };

  const setEnabled = (enabled: boolean) =>
    attempt(async () => {
      const { memory_enabled: result } = await api.account.update({ memory_enabled: enabled });
      dispatch({ type: "enabledChanged", enabled: result });
    });

  const dismissProblem = () => dispatch({ type: "problemDismissed" });

  return { add, edit, setPinned, setEnabled, dismissProblem };
}
