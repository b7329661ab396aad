import { useCallback, useEffect, useRef, useState } from "react";

/** Formation takes a moment after it is due. */
const SETTLE_MS = 2_000;
/** Due times beyond this are not waited for. */
const PATIENCE_MS = 600_000;

/** A number that grows whenever the user's memories may have changed. */
export function useVersion() {
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const bump = useCallback(() => setVersion((number) => number + 1), []);
  const bumpAt = useCallback(
    (due: string) => {
      const wait = new Date(due).getTime() - Date.now() + SETTLE_MS;
      if (!(wait < PATIENCE_MS)) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(bump, Math.max(wait, 0));
    },
    [bump],
  );
  return { version, bump, bumpAt };
}
