import { expect, test } from "vitest";
import type { Formation, MessageId } from "../api/types";
import { formationLines } from "./formation";

const DONE: Formation = { pending: 0, attempts: 0, last_error: null, set_aside: [] };
const ids = (...names: string[]) => names as MessageId[];

test("when nothing waits, it says so", () => {
  expect(formationLines(DONE)).toEqual(["All that you said is distilled."]);
});

test("what waits is counted", () => {
  expect(formationLines({ ...DONE, pending: 1 })).toEqual(["1 message is not yet distilled."]);
  expect(formationLines({ ...DONE, pending: 2 })).toEqual(["2 messages are not yet distilled."]);
});

test("what failed says why", () => {
  const failing = { ...DONE, pending: 2, attempts: 3, last_error: "The model did not answer." };
  expect(formationLines(failing)).toEqual([
    "2 messages are not yet distilled.",
    "The last try failed: The model did not answer.",
  ]);
});

test("what is set aside is counted apart", () => {
  const set_aside = [
    { messages: ids("a", "b"), error: "too long" },
    { messages: ids("c"), error: "no answer" },
  ];
  expect(formationLines({ ...DONE, set_aside })).toEqual([
    "3 messages are set aside, after trying often enough: no answer.",
  ]);
});
