import { useCallback, useState } from "react";
import type { Api } from "../api/client";
import type { Memory, MemoryId, RecalledMemory } from "../api/types";
import { useQuery } from "../ui/useQuery";

type Details = ReadonlyMap<MemoryId, Memory>;

/** Messages and profile sentences are no memories of their own. */
const WITHOUT_DETAILS = new Set<RecalledMemory["kind"]>(["inbox", "profile"]);
const NONE: Details = new Map();

/** The current memories behind those of an answer, loaded when the list is opened; and a function to reload them. */
export function useRecalledDetails(api: Api, memories: readonly RecalledMemory[], open: boolean) {
  const [version, setVersion] = useState(0);
  const load = useCallback(
    (signal: AbortSignal) => (open ? loadDetails(api, memories, signal) : Promise.resolve(NONE)),
    [api, memories, open],
  );
  const { data } = useQuery(load, version);
  return { details: data ?? NONE, reload: () => setVersion(version + 1) };
}

async function loadDetails(
  api: Api,
  memories: readonly RecalledMemory[],
  signal: AbortSignal,
): Promise<Details> {
  const ids = memories.filter(({ kind }) => !WITHOUT_DETAILS.has(kind)).map(({ id }) => id);
  const results = await Promise.allSettled(ids.map((id) => api.memories.get(id, signal)));
  const found = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  return new Map(found.map((memory) => [memory.id, memory]));
}
