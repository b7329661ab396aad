import { useEffect, useRef, useState } from "react";
import type { Api } from "../api/client";
import { isAbort, ProblemError } from "../api/problem";
import type { MemoryChange } from "../api/types";
import { delay } from "../ui/delay";
import { mergeChanges } from "./chips";

/** Delays before the stream is opened again; an event starts them anew. */
const RETRY_MS: readonly number[] = [1_000, 2_000, 5_000, 15_000, 30_000];

/**
 * The changes of the user's memories since the page was opened, oldest first.
 *
 * The stream is open while the page is visible: browsers limit connections per host for all tabs.
 */
export function useMemoryChanges(api: Api, onChange: () => void): readonly MemoryChange[] {
  const [changes, setChanges] = useState<readonly MemoryChange[]>([]);
  const visible = usePageVisible();
  const lastId = useRef<string | null>(null);
  const onChangeRef = useRef(onChange);
  useEffect(() => {
    onChangeRef.current = onChange;
  });

  useEffect(() => {
    if (!visible) return;
    const controller = new AbortController();
    const receive = (change: MemoryChange) => {
      lastId.current = change.id;
      setChanges((known) => mergeChanges(known, [change]));
      onChangeRef.current();
    };
    void followChanges(api, lastId, receive, controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [api, visible]);
  return changes;
}

async function followChanges(
  api: Api,
  lastId: { readonly current: string | null },
  receive: (change: MemoryChange) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const change of api.memories.changes(signal, lastId.current)) {
        receive(change);
        attempt = 0;
      }
    } catch (error) {
      if (isAbort(error) || isUnsupported(error)) return;
    }
    await delay(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0, signal);
  }
}

/** A remote agent has no stream of changes. */
function isUnsupported(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === "unsupported";
}

function usePageVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState === "visible");
  useEffect(() => {
    const update = () => setVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return visible;
}
