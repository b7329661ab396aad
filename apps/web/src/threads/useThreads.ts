import { useCallback, useEffect, useReducer, useRef } from "react";
import type { Api } from "../api/client";
import { explain, isAbort } from "../api/problem";
import type { ThreadId } from "../api/types";
import { isSearching, NO_THREADS, threadsReducer } from "./threads";

/** How long typing may pause before the search runs. */
const TYPING_MS = 200;
/** The model names a new thread a moment after its first answer. */
const NAMING_MS = 4_000;

/** The user's threads, and what can be done to them. */
export function useThreads(api: Api) {
  const [threads, dispatch] = useReducer(threadsReducer, NO_THREADS);
  const { query, next: nextFound } = threads.search;
  const searching = isSearching(threads.search);
  const naming = useRef<ReturnType<typeof setTimeout>>(undefined);

  /** Whether it worked; if not, the list says why. */
  const attempt = useCallback(async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isAbort(error)) dispatch({ type: "failed", problem: explain(error) });
      return false;
    }
  }, []);

  const refresh = useCallback(
    (signal?: AbortSignal) =>
      attempt(async () => {
        dispatch({ type: "refreshed", page: await api.threads.list(null, signal) });
      }),
    [api, attempt],
  );

  useEffect(() => {
    const leaving = new AbortController();
    void refresh(leaving.signal);
    return () => leaving.abort();
  }, [refresh]);

  useEffect(() => () => clearTimeout(naming.current), []);

  useEffect(() => {
    if (!searching) return;
    const leaving = new AbortController();
    const wait = setTimeout(
      () =>
        void attempt(async () => {
          const page = await api.threads.search(query, null, leaving.signal);
          dispatch({ type: "found", query, page });
        }),
      TYPING_MS,
    );
    return () => {
      clearTimeout(wait);
      leaving.abort();
    };
  }, [api, attempt, query, searching]);

  /** Lists the threads as they are after an answer, and once more when its thread may have its name. */
  const settle = useCallback(() => {
    void refresh();
    clearTimeout(naming.current);
    naming.current = setTimeout(() => void refresh(), NAMING_MS);
  }, [refresh]);

  const search = (words: string) => dispatch({ type: "searched", query: words });

  const showMore = () =>
    attempt(async () => {
      if (searching) {
        const page = await api.threads.search(query, nextFound);
        dispatch({ type: "foundMore", query, page });
        return;
      }
      dispatch({ type: "continued", page: await api.threads.list(threads.next) });
    });

  const begin = useCallback((thread: ThreadId, text: string) => {
    dispatch({ type: "begun", thread, text, now: new Date().toISOString() });
  }, []);

  const rename = (thread: ThreadId, title: string) =>
    attempt(async () => {
      await api.threads.rename(thread, title);
      dispatch({ type: "renamed", thread, title });
    });

  const remove = (thread: ThreadId, forget: boolean) =>
    attempt(async () => {
      const forgotten = await api.threads.remove(thread, forget);
      dispatch({ type: "removed", thread, forgotten });
    });

  const dismiss = () => dispatch({ type: "dismissed" });

  return { threads, settle, search, showMore, begin, rename, remove, dismiss };
}
