import { useCallback, useEffect, useState } from "react";
import { newThreadId, type ThreadId } from "../api/types";
import { hashOf, TEMPORARY_HASH, threadOf } from "../url";

/** Which thread the page shows. A new one has its id already, but neither an address nor messages. */
export type ThreadRoute = {
  readonly thread: ThreadId;
  readonly isNew: boolean;
  /** A new one will be temporary; one that has an address knows that itself. */
  readonly temporary: boolean;
};

export function useThreadRoute() {
  const [route, setRoute] = useState(() => routeOf(window.location.hash));
  useEffect(() => {
    const follow = () => setRoute(routeOf(window.location.hash));
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);

  /** Gives the new thread its address, in place of the empty page's. */
  const settle = useCallback((thread: ThreadId) => window.location.replace(hashOf(thread)), []);
  const leave = useCallback(() => {
    window.location.hash = hashOf(null);
  }, []);
  return { route, settle, leave };
}

function routeOf(hash: string): ThreadRoute {
  const named = threadOf(hash);
  if (named !== null) return { thread: named, isNew: false, temporary: false };
  return { thread: newThreadId(), isNew: true, temporary: hash === TEMPORARY_HASH };
}
