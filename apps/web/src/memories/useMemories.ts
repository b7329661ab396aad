import { useCallback, useEffect, useReducer } from "react";
import type { Api, MemoryFilter } from "../api/client";
import { explain, isAbort } from "../api/problem";
import type { MemoryId, MemoryKind } from "../api/types";
import { memoriesReducer, NO_MEMORIES } from "./memories";

/** How long typing may pause before the search runs. */
const TYPING_MS = 200;

/**
 * The memories behind the panel's filter, and what can be done to them.
 *
 * @param version a number that changes whenever the memories may have changed elsewhere.
 */
export function useMemories(api: Api, version: number) {
  const [memories, dispatch] = useReducer(memoriesReducer, NO_MEMORIES);
  const { filter, next } = memories;

  const attempt = useCallback(async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!isAbort(error)) dispatch({ type: "failed", problem: explain(error) });
    }
  }, []);

  const list = useCallback(
    (signal?: AbortSignal) =>
      attempt(async () => {
        dispatch({ type: "listed", page: await api.memories.list(filter, null, signal) });
      }),
    [api, attempt, filter],
  );

  useEffect(() => {
    const leaving = new AbortController();
    const wait = setTimeout(() => void list(leaving.signal), filter.query === "" ? 0 : TYPING_MS);
    return () => {
      clearTimeout(wait);
      leaving.abort();
    };
  }, [list, filter, version]);

  useEffect(() => {
    const leaving = new AbortController();
    void attempt(async () => {
      dispatch({ type: "turned", on: await api.memories.isOn(leaving.signal) });
    });
    return () => leaving.abort();
  }, [api, attempt]);

  const showMore = () =>
    attempt(async () => {
      dispatch({ type: "continued", page: await api.memories.list(filter, next) });
    });

  const add = (kind: MemoryKind, text: string) =>
    attempt(async () => {
      dispatch({ type: "added", memory: await api.memories.add(kind, text) });
    });

  const edit = (memory: MemoryId, text: string) =>
    attempt(async () => {
      dispatch({ type: "edited", old: memory, memory: await api.memories.edit(memory, text) });
    });

  const remove = (memory: MemoryId) =>
    attempt(async () => {
      await api.memories.remove(memory);
      dispatch({ type: "removed", memory });
    });

  /** What else goes with it, or comes back, is listed anew. */
  const undo = (memory: MemoryId) =>
    attempt(async () => {
      dispatch({ type: "undone", old: memory, memory: await api.memories.undo(memory) });
      await list();
    });

  const removeAll = () =>
    attempt(async () => {
      dispatch({ type: "emptied", deleted: await api.memories.removeAll() });
    });

  const turn = (on: boolean) =>
    attempt(async () => {
      dispatch({ type: "turned", on: await api.memories.turn(on) });
    });

  const distil = () =>
    attempt(async () => {
      dispatch({ type: "distilling" });
      const result = await api.memories.distil();
      await list();
      dispatch({ type: "distilled", result });
    });

  const narrow = (filter: MemoryFilter) => dispatch({ type: "filtered", filter });
  const dismiss = () => dispatch({ type: "dismissed" });

  return { memories, narrow, showMore, add, edit, remove, undo, removeAll, turn, distil, dismiss };
}
