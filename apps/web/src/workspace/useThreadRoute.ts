import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { newThreadId, type ThreadId } from "../api/types";
import { parseThreadPath, TEMPORARY_PATH, threadPath } from "../routes";

/** The thread shown by the page. A new thread has an id, but no URL until its first message. */
export type ThreadRoute = {
  readonly thread: ThreadId;
  readonly isNew: boolean;
  /** Only for new threads; the gateway knows whether an existing thread is temporary. */
  readonly temporary: boolean;
};

export function useThreadRoute() {
  const [path, navigate] = useLocation();
  const [current, setCurrent] = useState(() => ({ path, route: parseRoute(path) }));
  if (current.path !== path) setCurrent({ path, route: parseRoute(path) });

  /** Replace the URL of the new thread by its permanent one, without a history entry. */
  const replaceUrl = useCallback(
    (thread: ThreadId) => navigate(threadPath(thread), { replace: true }),
    [navigate],
  );
  const openThread = useCallback(
    (thread: ThreadId | null) => navigate(threadPath(thread)),
    [navigate],
  );
  return { route: current.route, replaceUrl, openThread };
}

function parseRoute(path: string): ThreadRoute {
  const thread = parseThreadPath(path);
  if (thread !== null) return { thread, isNew: false, temporary: false };
  return { thread: newThreadId(), isNew: true, temporary: path === TEMPORARY_PATH };
}
