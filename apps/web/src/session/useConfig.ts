import { useCallback, useEffect, useState } from "react";
import { createFrontDoor } from "../api/client";
import { explain, type Problem } from "../api/problem";
import type { Config } from "../api/types";

/** How this gateway is set up; null until it has said so. */
export function useConfig() {
  const [config, setConfig] = useState<Config | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const load = useCallback(() => {
    createFrontDoor(window.fetch.bind(window))
      .config()
      .then(setConfig, (error: unknown) => setProblem(explain(error)));
  }, []);
  useEffect(load, [load]);

  const retry = () => {
    setProblem(null);
    load();
  };
  return { config, problem, retry };
}
