import { useCallback } from "react";
import { isAbort, toProblem } from "../api/problem";
import type { Problem } from "../api/types";

type Dispatch = (action: { type: "failed"; problem: Problem }) => void;
export type Attempt = (action: () => Promise<void>) => Promise<boolean>;

/**
 * Create a function that runs an action and resolves to true if it succeeded.
 *
 * Errors are dispatched as `failed`, except for aborted requests.
 */
export function useAttempt(dispatch: Dispatch): Attempt {
  return useCallback(
    async (action) => {
      try {
        await action();
        return true;
      } catch (error) {
        if (!isAbort(error)) dispatch({ type: "failed", problem: toProblem(error) });
        return false;
      }
    },
    [dispatch],
  );
}
