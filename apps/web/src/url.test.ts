import { expect, test } from "vitest";
import { newThreadId } from "./api/types";
import { hashOf, TEMPORARY_HASH, threadOf } from "./url";

test("a thread's address leads back to it", () => {
  const thread = newThreadId();
  expect(threadOf(hashOf(thread))).toBe(thread);
});

test.each([
  "",
  "#",
  "#/",
  "#/t/",
  "#/t/42",
  "#/t/../memories",
  "#/x/1",
  hashOf(null),
  TEMPORARY_HASH,
])("%j names no thread", (hash) => {
  expect(threadOf(hash)).toBeNull();
});

test("an address typed in capitals names the same thread", () => {
  const thread = newThreadId();
  expect(threadOf(hashOf(thread).replace(thread, thread.toUpperCase()))).toBe(thread);
});
