import { expect, test } from "vitest";
import type { Formation, MessageId } from "../api/types";
import { formationMessages } from "./formation";

const IDLE: Formation = { pending: 0, attempts: 0, last_error: null, set_aside: [] };
const ids = (...names: string[]) => names as MessageId[];

test("an empty inbox is described as saved", () => {
  expect(formationMessages(IDLE)).toEqual(["Everything is saved."]);
});

test("pending messages are counted", () => {
  expect(formationMessages({ ...IDLE, pending: 1 })).toEqual([
    "1 message is not yet saved to memory.",
  ]);
  expect(formationMessages({ ...IDLE, pending: 2 })).toEqual([
    "2 messages are not yet saved to memory.",
  ]);
});

test("a failed attempt shows the error", () => {
  const failing = { ...IDLE, pending: 2, attempts: 3, last_error: "The model did not answer." };
  expect(formationMessages(failing)).toEqual([
    "2 messages are not yet saved to memory.",
    "The last attempt failed: The model did not answer.",
  ]);
});

test("messages that failed after all retries are counted separately", () => {
  const set_aside = [
    { messages: ids("a", "b"), error: "too long" },
    { messages: ids("c"), error: "no answer" },
  ];
  expect(formationMessages({ ...IDLE, set_aside })).toEqual([
    "3 messages could not be saved to memory: no answer.",
  ]);
});
