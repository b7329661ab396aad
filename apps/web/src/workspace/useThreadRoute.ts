import { useCallback, useEffect, useState } from "react";
import { newThreadId, type ThreadId } from "../api/types";
import { parseThreadHash, TEMPORARY_HASH, threadHash } from "../url";

/** The thread shown by the page. A new thread has an id, but no URL until its first message. */
export type ThreadRoute = {
  readonly thread: ThreadId;
  readonly isNew: boolean;
  /** Only for new threads; the gateway knows whether an existing thread is temporary. */
  readonly temporary: boolean;
};

export function useThreadRoute() {
  const [route, setRoute] = useState(() => parseRoute(window.location.hash));
  useEffect(() => {
    const updateRoute = () => setRoute(parseRoute(window.location.hash));
    window.addEventListener("hashchange", updateRoute);
    return () => window.removeEventListener("hashchange", updateRoute);
  }, []);

  /** Replace the URL of the new thread by its permanent one, without a history entry. */
  const replaceUrl = useCallback(
    (thread: ThreadId) => window.location.replace(threadHash(thread)),
    [],
  );
  const openNewThread = useCallback(() => {
    window.location.hash = threadHash(null);
  }, []);
  return { route, replaceUrl, openNewThread };
}

function parseRoute(hash: string): ThreadRoute {
  const thread = parseThreadHash(hash);
  if (thread !== null) return { thread, isNew: false, temporary: false };
  return { thread: newThreadId(), isNew: true, temporary: hash === TEMPORARY_HASH };
}
