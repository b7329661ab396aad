import { useCallback, useEffect, useReducer, useRef } from "react";
import type { Api } from "../api/client";
import type { ThreadId } from "../api/types";
import { useAttempt } from "../ui/useAttempt";
import { INITIAL_THREADS, isSearching, threadsReducer, type ThreadsAction } from "./threads";
import { useArchive } from "./useArchive";
import { useThreadChanges } from "./useThreadChanges";
import { useThreadExport } from "./useThreadExport";

const SEARCH_DEBOUNCE_MS = 200;
/** The model writes the title of a new thread shortly after its first answer. */
const TITLE_DELAY_MS = 4_000;

export type ThreadListState = ReturnType<typeof useThreads>;

/** The user's threads, and actions to search and change them. */
export function useThreads(api: Api) {
  const [threads, dispatch] = useReducer(threadsReducer, INITIAL_THREADS);
  const { query, cursor: searchCursor } = threads.search;
  const searching = isSearching(threads.search);
  const titleTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const attempt = useAttempt(dispatch, "failed");

  const refresh = useCallback(
    (signal?: AbortSignal) =>
      attempt(async () => {
        dispatch({ type: "refreshed", page: await api.threads.list(null, signal) });
      }),
    [api, attempt],
  );

  useEffect(() => {
    const controller = new AbortController();
    void refresh(controller.signal);
    return () => controller.abort();
  }, [refresh]);

  useEffect(() => () => clearTimeout(titleTimer.current), []);

  useEffect(() => {
    if (!searching) return;
    const controller = new AbortController();
    const timer = setTimeout(
      () =>
        void attempt(async () => {
          const page = await api.threads.search(query, null, controller.signal);
          dispatch({ type: "resultsLoaded", query, page });
        }),
      SEARCH_DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [api, attempt, query, searching]);

  const refreshAfterRun = useCallback(() => {
    void refresh();
    clearTimeout(titleTimer.current);
    titleTimer.current = setTimeout(() => void refresh(), TITLE_DELAY_MS);
  }, [refresh]);

  const showMore = () =>
    attempt(async () => {
      if (searching) {
        const page = await api.threads.search(query, searchCursor);
        dispatch({ type: "resultsAdded", query, page });
        return;
      }
      dispatch({ type: "pageAdded", page: await api.threads.list(threads.cursor) });
    });

  const moveToTop = useCallback((thread: ThreadId, text: string, branches: readonly ThreadId[]) => {
    const now = new Date().toISOString();
    dispatch({ type: "messageSent", sent: { thread, text, branches, now } });
  }, []);

  const archive = useArchive(api);
  const { dispatch: dispatchArchive } = archive;
  const dispatchBoth = useCallback(
    (action: ThreadsAction) => {
      dispatch(action);
      dispatchArchive(action);
    },
    [dispatchArchive],
  );
  const refreshBoth = () => Promise.all([refresh(), archive.refresh()]).then(() => true);
  const changes = useThreadChanges(api, attempt, dispatchBoth, refreshBoth);
  const exportMarkdown = useThreadExport(api, attempt);
  return {
    threads,
    refreshAfterRun,
    search: (query: string) => dispatch({ type: "queryChanged", query }),
    showMore,
    moveToTop,
    ...changes,
    archive,
    exportMarkdown,
    dismissProblem: () => dispatch({ type: "problemDismissed" }),
  };
}
