import { expect, test } from "vitest";
import { ProblemError, UNREACHABLE } from "../api/problem";
import type { RunEvent } from "../api/types";
import { resumeStream } from "./resumeStream";

const token = (id: string): RunEvent => ({ id, event: "token", data: { text: id } });
const FINISHED: RunEvent = { id: "9", event: "run.finished", data: { status: "completed" } };
const unreachable = () => new ProblemError(UNREACHABLE, 0);

/** Each stream yields its events, then throws its error; streams are opened in this order. */
type FakeStream = { events: readonly RunEvent[]; error?: Error };

async function collect(streams: readonly FakeStream[], signal = new AbortController().signal) {
  const opened: (string | null)[] = [];
  const open = async function* (lastId: string | null): AsyncGenerator<RunEvent> {
    const stream = streams[opened.length];
    opened.push(lastId);
    yield* await Promise.resolve(stream?.events ?? []);
    if (stream?.error) throw stream.error;
  };
  const ids: (string | undefined)[] = [];
  let error: unknown = null;
  try {
    for await (const event of resumeStream(() => open(null), open, signal, [0, 0])) {
      ids.push(event.id);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { ids, opened, error };
}

test("a stream that ends early is rejoined after its last event", async () => {
  const streams = [{ events: [token("1"), token("2")] }, { events: [token("3"), FINISHED] }];
  expect(await collect(streams)).toEqual({
    ids: ["1", "2", "3", "9"],
    opened: [null, "2"],
    error: null,
  });
});

test("a broken connection is rejoined, also if the first attempts fail", async () => {
  const streams = [
    { events: [token("1")], error: new TypeError("network error") },
    { events: [], error: unreachable() },
    { events: [FINISHED] },
  ];
  expect(await collect(streams)).toMatchObject({ ids: ["1", "9"], opened: [null, "1", "1"] });
});

test("attempts are limited, and each event renews them", async () => {
  const failing = Array.from({ length: 9 }, () => ({ events: [], error: unreachable() }));
  const first = await collect([{ events: [token("1")] }, ...failing]);
  expect(first.opened).toHaveLength(3);
  expect(first.error).toBeInstanceOf(ProblemError);
  const renewed = await collect([{ events: [token("1")] }, { events: [token("2")] }, ...failing]);
  expect(renewed.opened).toHaveLength(4);
});

test("an error before the first event is not retried", async () => {
  const { opened, error } = await collect([{ events: [], error: unreachable() }]);
  expect(opened).toEqual([null]);
  expect(error).toBeInstanceOf(ProblemError);
});

test("a finished run is not rejoined", async () => {
  expect((await collect([{ events: [FINISHED] }])).opened).toEqual([null]);
});

test("aborting ends the wait", async () => {
  const controller = new AbortController();
  controller.abort();
  const { error } = await collect([{ events: [token("1")] }], controller.signal);
  expect(error).toMatchObject({ name: "AbortError" });
});

test("a run whose gateway stops before its first event is rejoined from its start", async () => {
  const reconnect: RunEvent = { event: "reconnect", data: {} };
  const streams = [{ events: [reconnect] }, { events: [token("1"), FINISHED] }];
  expect(await collect(streams)).toMatchObject({ opened: [null, null], error: null });
  expect((await collect([{ events: [] }, { events: [FINISHED] }])).opened).toEqual([null]);
});
