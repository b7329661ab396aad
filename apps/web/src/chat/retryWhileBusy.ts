import { ProblemError } from "../api/problem";
import type { RunEvent } from "../api/types";
import { delay } from "../ui/delay";

const MAX_RETRIES = 60;
const RETRY_MS = 1_000;

/**
 * Start a run and yield its events; retry while the thread is busy.
 *
 * A thread has at most one run at a time, and a run continues after its client disconnects. After
 * a reload, the same message is sent again until that run has ended; the gateway then replays it.
 *
 * @param start starts the run; it throws `thread_busy` only before the first event.
 */
export async function* retryWhileBusy(
  start: () => AsyncGenerator<RunEvent>,
  signal: AbortSignal,
  retryMs = RETRY_MS,
): AsyncGenerator<RunEvent> {
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--) {
    try {
      yield* start();
      return;
    } catch (error) {
      if (!isBusy(error) || retriesLeft === 0) throw error;
      await delay(retryMs, signal);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === "thread_busy";
}
