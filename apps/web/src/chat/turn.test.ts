import { expect, test } from "vitest";
import type { RunEvent } from "../api/events";
import { ProblemError } from "../api/problem";
import { inTurn } from "./turn";

const DONE: RunEvent = { name: "run.finished", status: "completed" };

/** A thread that refuses so many times, and then answers. */
function thread(refusals: number, code = "thread_busy") {
  let asked = 0;
  async function* start(): AsyncGenerator<RunEvent> {
    await Promise.resolve();
    if (asked++ < refusals) throw new ProblemError({ code, title: "No.", detail: null }, 409);
    yield DONE;
  }
  return { start, asked: () => asked };
}

async function heard(events: AsyncGenerator<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test("a busy thread is asked again until it answers", async () => {
  const { start, asked } = thread(3);
  expect(await heard(inTurn(start, new AbortController().signal, 0))).toEqual([DONE]);
  expect(asked()).toBe(4);
});

test("a thread that stays busy is given up in the end", async () => {
  const { start } = thread(Infinity);
  const events = inTurn(start, new AbortController().signal, 0);
  await expect(heard(events)).rejects.toMatchObject({ problem: { code: "thread_busy" } });
});

test("whatever else is wrong is told at once", async () => {
  const { start, asked } = thread(1, "model_unavailable");
  const events = inTurn(start, new AbortController().signal, 0);
  await expect(heard(events)).rejects.toMatchObject({ problem: { code: "model_unavailable" } });
  expect(asked()).toBe(1);
});

test("stopping ends the wait", async () => {
  const leaving = new AbortController();
  const waiting = heard(inTurn(thread(Infinity).start, leaving.signal, 60_000));
  setTimeout(() => leaving.abort(), 5);
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});
