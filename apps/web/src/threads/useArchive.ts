import { useCallback, useEffect, useReducer, useState } from "react";
import type { Api } from "../api/client";
import { useAttempt } from "../ui/useAttempt";
import { INITIAL_THREADS, threadsReducer } from "./threads";

/** The archived threads, which are loaded while they are shown. */
export function useArchive(api: Api) {
  const [open, setOpen] = useState(false);
  const [threads, dispatch] = useReducer(threadsReducer, INITIAL_THREADS);
  const attempt = useAttempt(dispatch, "failed");
  const refresh = useCallback(
    async (signal?: AbortSignal) => {
      if (!open) return;
      await attempt(async () => {
        dispatch({ type: "refreshed", page: await api.threads.list(null, signal, true) });
      });
    },
    [api, attempt, open],
  );
  useEffect(() => {
    const controller = new AbortController();
    void refresh(controller.signal);
    return () => controller.abort();
  }, [refresh]);

  const showMore = () =>
    attempt(async () => {
      const page = await api.threads.list(threads.cursor, undefined, true);
      dispatch({ type: "pageAdded", page });
    });
  return { open, setOpen, threads, dispatch, refresh, showMore };
}
