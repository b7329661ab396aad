import { useCallback, useEffect, useMemo, useState } from "react";
import type { Api } from "../api/client";
import type { MessageId, PendingMessage } from "../api/types";
import { useQuery } from "../ui/useQuery";

/** Processing a message from which nothing is learned changes no memory, so that it is asked for. */
const RELOAD_MS = 15_000;

export type PendingMessages = ReadonlyMap<MessageId, PendingMessage>;

/**
 * The user's messages that state something which is not yet saved to memory.
 *
 * @param version changes when they may have changed; null: do not load them.
 */
export function usePendingMessages(api: Api, version: number | null): PendingMessages {
  const [reloads, setReloads] = useState(0);
  const load = useCallback(
    async (signal: AbortSignal) => (version === null ? [] : await api.memories.inbox(signal)),
    [api, version],
  );
  const { data } = useQuery(load, reloads);

  useEffect(() => {
    if (!data?.some(({ recallable, set_aside }) => recallable && !set_aside)) return;
    const reload = () => {
      if (document.visibilityState === "visible") setReloads((count) => count + 1);
    };
    const timer = setInterval(reload, RELOAD_MS);
    return () => clearInterval(timer);
  }, [data]);
  return useMemo(() => {
    const stating = data?.filter(({ recallable }) => recallable);
    return new Map(stating?.map((message) => [message.message, message]));
  }, [data]);
}
