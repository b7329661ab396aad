import { isAbort } from "../api/problem";
import type { RunEvent } from "../api/types";
import { delay } from "../ui/delay";

/**
 * Delays before the attempts to rejoin a stream; the first is that of the gateway's `retry` field. A gateway that is
 * replaced is back within a minute.
 */
const REJOIN_MS: readonly number[] = [1_000, 1_000, 2_000, 4_000, 8_000, 8_000, 15_000, 15_000];

type Rejoin = (lastEventId: string | null) => AsyncGenerator<RunEvent>;

/**
 * Yield the events of a run, and rejoin its stream if that ends before the run.
 *
 * A stream ends early if the connection breaks, or if the gateway that sends it stops, which it announces by
 * `reconnect`; the run can continue at another gateway. Errors before the first event are not handled here.
 */
export async function* resumeStream(
  start: () => AsyncGenerator<RunEvent>,
  rejoin: Rejoin,
  signal: AbortSignal,
  delays = REJOIN_MS,
): AsyncGenerator<RunEvent> {
  const progress: Progress = { lastId: null, started: false, attempts: 0 };
  for (let stream = start(); ; stream = rejoin(progress.lastId)) {
    try {
      if (yield* followStream(stream, progress)) return;
    } catch (error) {
      if (isAbort(error) || pauseOf(progress, delays) === undefined) throw error;
    }
    const pause = pauseOf(progress, delays);
    if (pause === undefined) return;
    progress.attempts++;
    await delay(pause, signal);
  }
}

/** Attempts are counted since the last event; `started`: there has been an event, perhaps without an id. */
type Progress = { lastId: string | null; started: boolean; attempts: number };

/** The time before the next attempt in milliseconds; undefined if there is none. */
function pauseOf({ started, attempts }: Progress, delays: readonly number[]): number | undefined {
  return started ? delays[attempts] : undefined;
}

/** Returns: true if the run has ended. */
async function* followStream(
  stream: AsyncGenerator<RunEvent>,
  progress: Progress,
): AsyncGenerator<RunEvent, boolean> {
  for await (const event of stream) {
    yield event;
    if (event.event === "run.finished" || event.event === "run.failed") return true;
    if (event.id !== undefined || event.event === "reconnect") progress.started = true;
    progress.lastId = event.id ?? progress.lastId;
    progress.attempts = 0;
  }
  return false;
}
