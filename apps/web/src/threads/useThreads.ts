import { useCallback, useEffect, useReducer } from "react";
import type { Api } from "../api/client";
import { explain, isAbort } from "../api/problem";
import type { ThreadId } from "../api/types";
import { NO_THREADS, threadsReducer } from "./threads";

/** The user's threads, and what can be done to them. */
export function useThreads(api: Api) {
  const [threads, dispatch] = useReducer(threadsReducer, NO_THREADS);

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

  const showMore = () =>
    attempt(async () => {
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
      await api.threads.remove(thread, forget);
      dispatch({ type: "removed", thread });
    });

  const dismiss = () => dispatch({ type: "dismissed" });

  return { threads, refresh, showMore, begin, rename, remove, dismiss };
}
