import { useCallback, useEffect, useState } from "react";

/** Delays between attempts to reach the gateway while the browser believes to be online. */
const RETRY_MS: readonly number[] = [2_000, 4_000, 8_000, 15_000, 30_000];

export type Reachability = ReturnType<typeof useReachable>;

/** Whether the gateway is worth a request, and a function to report that it could not be reached. */
export function useReachable() {
  const [reachable, setReachable] = useState(() => navigator.onLine);
  const [failures, setFailures] = useState(0);

  useEffect(() => {
    const onOnline = () => setReachable(true);
    const onOffline = () => setReachable(false);
    window.addEventListener("online", onOnline);
    window.addEventListener("offline", onOffline);
    return () => {
      window.removeEventListener("online", onOnline);
      window.removeEventListener("offline", onOffline);
    };
  }, []);

  useEffect(() => {
    if (reachable || !navigator.onLine) return;
    const delayMs = RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? 0;
    const timer = setTimeout(() => setReachable(true), delayMs);
    return () => clearTimeout(timer);
  }, [reachable, failures]);

  const reportUnreachable = useCallback(() => {
    setReachable(false);
    setFailures((count) => count + 1);
  }, []);
  const reportReachable = useCallback(() => setFailures(0), []);
  return { reachable, reportUnreachable, reportReachable };
}
