import { useCallback, useEffect, useState } from "react";
import { newThreadId, type ThreadId } from "../api/types";
import { hashOf, threadOf } from "../url";

/** Which thread the page shows. A new one has its id already, but neither an address nor messages. */
export type ThreadRoute = { readonly thread: ThreadId; readonly isNew: boolean };

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
  return named === null ? { thread: newThreadId(), isNew: true } : { thread: named, isNew: false };
}
