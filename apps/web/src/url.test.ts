import { expect, test } from "vitest";
import { newThreadId } from "./api/types";
import { parseThreadHash, TEMPORARY_HASH, threadHash } from "./url";

test("a thread hash is parsed back to its id", () => {
  const thread = newThreadId();
  expect(parseThreadHash(threadHash(thread))).toBe(thread);
});

test.each([
  "",
  "#",
  "#/",
  "#/t/",
  "#/t/42",
  "#/t/../memories",
  "#/x/1",
  threadHash(null),
  TEMPORARY_HASH,
])("%j contains no thread id", (hash) => {
  expect(parseThreadHash(hash)).toBeNull();
});

test("thread hashes are case-insensitive", () => {
  const thread = newThreadId();
  expect(parseThreadHash(threadHash(thread).replace(thread, thread.toUpperCase()))).toBe(thread);
});
