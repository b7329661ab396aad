import { useEffect, useState } from "react";
import { explain, isAbort, type Problem } from "../api/problem";

type Loaded<Value> = { readonly value: Value | null; readonly problem: Problem | null };

/**
 * What the gateway has, read again whenever `load` is another or `version` has changed.
 *
 * Until the new value is here the old one stays, also when it cannot be had.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  version: unknown,
): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ value: null, problem: null });
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving.signal).then(
      (value) => setLoaded({ value, problem: null }),
      (error: unknown) => {
        if (!isAbort(error)) setLoaded(({ value }) => ({ value, problem: explain(error) }));
      },
    );
    return () => leaving.abort();
  }, [load, version]);
  return loaded;
}
