import { useEffect, useState } from "react";
import { isAbort, toProblem } from "../api/problem";
import type { Problem } from "../api/types";

type QueryResult<Data> = { readonly data: Data | null; readonly problem: Problem | null };

/**
 * Load data, and reload it when `load` or `version` changes.
 *
 * The previous data is kept until the new data arrives, also if loading fails.
 */
export function useQuery<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  version: unknown,
): QueryResult<Data> {
  const [result, setResult] = useState<QueryResult<Data>>({ data: null, problem: null });
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(
      (data) => setResult({ data, problem: null }),
      (error: unknown) => {
        if (!isAbort(error)) setResult(({ data }) => ({ data, problem: toProblem(error) }));
      },
    );
    return () => controller.abort();
  }, [load, version]);
  return result;
}
