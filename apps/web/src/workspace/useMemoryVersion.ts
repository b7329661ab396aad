import { useCallback, useEffect, useRef, useState } from "react";

/** Time for the worker to process the inbox after it is due. */
const PROCESSING_MS = 2_000;
const MAX_DELAY_MS = 600_000;

/** A number that is incremented whenever the user's memories may have changed. */
export function useMemoryVersion() {
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const increment = useCallback(() => setVersion((number) => number + 1), []);
  /** Schedule an increment for the due time of the inbox; distant or invalid times are ignored. */
  const incrementAfter = useCallback(
    (dueAt: string) => {
      const delay = new Date(dueAt).getTime() - Date.now() + PROCESSING_MS;
      if (!(delay < MAX_DELAY_MS)) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(increment, Math.max(delay, 0));
    },
    [increment],
  );
  return { version, increment, incrementAfter };
}
