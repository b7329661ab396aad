import { useCallback } from "react";
import { isAbort, toProblem } from "../api/problem";
import type { Problem } from "../api/types";

type Failure = "failed" | "loadFailed";
export type Attempt = (action: () => Promise<void>) => Promise<boolean>;

/**
 * Create a function that runs an action and resolves to true if it succeeded.
 *
 * Errors are dispatched as actions of the given type, except for aborted requests.
 */
export function useAttempt<Type extends Failure>(
  dispatch: (action: { type: Type; problem: Problem }) => void,
  type: Type,
): Attempt {
  return useCallback(
    async (action) => {
      try {
        await action();
        return true;
      } catch (error) {
        if (!isAbort(error)) dispatch({ type, problem: toProblem(error) });
        return false;
      }
    },
    [dispatch, type],
  );
}
