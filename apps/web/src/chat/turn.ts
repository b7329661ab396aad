import type { RunEvent } from "../api/events";
import { ProblemError } from "../api/problem";

/** How often a busy thread is asked again, and how far apart. */
const TRIES = 60;
const PAUSE_MS = 1_000;

/**
 * Yields the events of a run once the thread is free for it.
 *
 * A thread answers one message at a time, and a run goes on when its listener has gone: whoever
 * comes back to it asks the same question again, and hears the answer when it is there.
 *
 * @param start begins the run; it fails with `thread_busy` before its first event, or not at all.
 */
export async function* inTurn(
  start: () => AsyncGenerator<RunEvent>,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): AsyncGenerator<RunEvent> {
  for (let left = TRIES; ; left--) {
    try {
      yield* start();
      return;
    } catch (error) {
      if (!isBusy(error) || left === 0) throw error;
      await pause(pauseMs, signal);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === "thread_busy";
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(new DOMException("the wait was given up", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", giveUp);
  });
}
