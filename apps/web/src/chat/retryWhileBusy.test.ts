import { expect, test } from "vitest";
import { ProblemError } from "../api/problem";
import type { RunEvent } from "../api/types";
import { retryWhileBusy } from "./retryWhileBusy";

const FINISHED: RunEvent = {
  event: "run.finished",
  data: { status: "completed" },
};

/** A thread that rejects the first `rejections` calls with `code`. */
function fakeThread(rejections: number, code = "thread_busy") {
  let calls = 0;
  async function* start(): AsyncGenerator<RunEvent> {
    await Promise.resolve();
    if (calls++ < rejections) throw new ProblemError({ code, title: "No.", detail: "" }, 409);
    yield FINISHED;
  }
  return { start, calls: () => calls };
}

async function collectEvents(events: AsyncGenerator<RunEvent>): Promise<RunEvent[]> {
  const collected: RunEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

test("a busy thread is retried until it accepts the run", async () => {
  const { start, calls } = fakeThread(3);
  const events = retryWhileBusy(start, new AbortController().signal, 0);
  expect(await collectEvents(events)).toEqual([FINISHED]);
  expect(calls()).toBe(4);
});

test("retries are limited", async () => {
  const { start } = fakeThread(Infinity);
  const events = retryWhileBusy(start, new AbortController().signal, 0);
  await expect(collectEvents(events)).rejects.toMatchObject({ problem: { code: "thread_busy" } });
});

test("other errors are not retried", async () => {
  const { start, calls } = fakeThread(1, "model_unavailable");
  const events = retryWhileBusy(start, new AbortController().signal, 0);
  await expect(collectEvents(events)).rejects.toMatchObject({
    problem: { code: "model_unavailable" },
  });
  expect(calls()).toBe(1);
});

test("aborting ends the delay before a retry", async () => {
  const controller = new AbortController();
  const events = retryWhileBusy(fakeThread(Infinity).start, controller.signal, 60_000);
  const pending = collectEvents(events);
  setTimeout(() => controller.abort(), 5);
  await expect(pending).rejects.toMatchObject({ name: "AbortError" });
});
