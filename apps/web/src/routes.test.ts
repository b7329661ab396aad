import { expect, test } from "vitest";
import type { ThreadId } from "./api/types";
import { parseThreadPath, pathOfHash, threadPath } from "./routes";

const THREAD = "0f8b0a9c-6f0e-4a3e-9c56-0d2a5f1c7e11" as ThreadId;

test("a thread has a path that parses to its id", () => {
  expect(parseThreadPath(threadPath(THREAD))).toBe(THREAD);
  expect(parseThreadPath(threadPath(THREAD).toUpperCase().replace("/THREAD", "/thread"))).toBe(
    THREAD,
  );
});

test.each(["/", "/thread/", "/thread/1", `/thread/${THREAD}/x`, "/memory"])(
  "%s is not a thread",
  (path) => {
    expect(parseThreadPath(path)).toBeNull();
  },
);

test("addresses of earlier versions have paths", () => {
  expect(pathOfHash(`#/t/${THREAD}`)).toBe(threadPath(THREAD));
  expect(pathOfHash("#/temporary")).toBe("/temporary");
  expect(pathOfHash("#secret=abc")).toBeNull();
  expect(pathOfHash("")).toBeNull();
});
