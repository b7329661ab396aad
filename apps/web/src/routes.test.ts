import { expect, test } from "vitest";
import type { ThreadId } from "./api/types";
import { parseThreadPath, pathOfHash, sourcePath, threadPath } from "./routes";

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

test.each([
  ["7f8d4d5e-3c1b-4c56-9d0a-1f6b0c9a2e11", "/thread/7f8d4d5e-3c1b-4c56-9d0a-1f6b0c9a2e11"],
  ["chatgpt:7f8d4d5e-3c1b-4c56-9d0a-1f6b0c9a2e11", null],
  ["", null],
])("the page of the source %s is %s", (source, path) => {
  expect(sourcePath(source)).toBe(path);
});
