import { useCallback } from "react";
import type { Api } from "../api/client";
import { toProblem } from "../api/problem";
import type { MessageId } from "../api/types";
import { localizeProblem, useStrings } from "../strings";
import { useToast } from "../ui/toast";

/** A function that withdraws a pending message, reports the result, and resolves in either case. */
export function useWithdraw(api: Api, onChange: () => void) {
  const strings = useStrings();
  const toast = useToast();
  return useCallback(
    (message: MessageId) =>
      api.memories
        .withdraw(message)
        .then(
          () => toast({ text: strings.remembering.withdrawn }),
          (error: unknown) => {
            const problem = toProblem(error);
            const processed = problem.code === "message_not_found";
            const { title } = localizeProblem(strings, problem);
            toast({ text: processed ? strings.remembering.withdrawFailed : title });
          },
        )
        .finally(onChange),
    [api, onChange, strings, toast],
  );
}
