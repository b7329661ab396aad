import { useCallback, useEffect, useState } from "react";
import { createPublicApi } from "../api/client";
import { toProblem } from "../api/problem";
import type { Config, Problem } from "../api/types";

/** Load the gateway's public configuration; null while loading. */
export function useConfig() {
  const [config, setConfig] = useState<Config | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const load = useCallback(() => {
    createPublicApi(window.fetch.bind(window))
      .config()
      .then(setConfig, (error: unknown) => setProblem(toProblem(error)));
  }, []);
  useEffect(load, [load]);

  const retry = () => {
    setProblem(null);
    load();
  };
  return { config, problem, retry };
}
