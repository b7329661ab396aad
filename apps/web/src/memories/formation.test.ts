import { expect, test } from "vitest";
import type { FormationStatus } from "../api/types";
import { en } from "../strings/en";
import { formationMessages } from "./formation";

const IDLE: FormationStatus = {
  pending: 0,
  oldest_seconds: null,
  attempts: 0,
  last_error: null,
  next_attempt_at: null,
  set_aside: [],
};
const batch = (messages: string[], error: string) => ({
  thread_id: "t1",
  messages,
  error,
  since: "2026-11-20T10:00:00Z",
});

test("an empty inbox is described as saved", () => {
  expect(formationMessages(en, IDLE)).toEqual(["Everything is saved."]);
});

test("pending messages are counted", () => {
  expect(formationMessages(en, { ...IDLE, pending: 1 })).toEqual(["1 message being remembered."]);
  expect(formationMessages(en, { ...IDLE, pending: 2 })).toEqual(["2 messages being remembered."]);
});

test("a failed attempt shows the error", () => {
  const failing = { ...IDLE, pending: 2, attempts: 3, last_error: "The model did not answer." };
  expect(formationMessages(en, failing)).toEqual([
    "2 messages being remembered.",
    "The last attempt failed: The model did not answer.",
  ]);
});

test("messages that failed after all retries are counted separately", () => {
  const set_aside = [batch(["a", "b"], "too long"), batch(["c"], "no answer")];
  expect(formationMessages(en, { ...IDLE, set_aside })).toEqual([
    "3 messages could not be saved to memory: no answer.",
  ]);
});
