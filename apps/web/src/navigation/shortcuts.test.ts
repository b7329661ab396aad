import { expect, test } from "vitest";
import { findShortcut, keysOf } from "./shortcuts";

const NONE = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test("shortcuts with Control work everywhere, also with Command", () => {
  expect(findShortcut({ ...NONE, key: "k", ctrlKey: true }, true)).toBe("palette");
  expect(findShortcut({ ...NONE, key: "k", metaKey: true }, false)).toBe("palette");
  expect(findShortcut({ ...NONE, key: "O", ctrlKey: true, shiftKey: true }, true)).toBe(
    "newThread",
  );
  expect(findShortcut({ ...NONE, key: "o", ctrlKey: true }, false)).toBeNull();
});

test("single keys write text in a field and are shortcuts elsewhere", () => {
  expect(findShortcut({ ...NONE, key: "?", shiftKey: true }, false)).toBe("help");
  expect(findShortcut({ ...NONE, key: "?", shiftKey: true }, true)).toBeNull();
  expect(findShortcut({ ...NONE, key: "/" }, false)).toBe("message");
  expect(findShortcut({ ...NONE, key: "k" }, false)).toBeNull();
});

test("the keys are named as on the user's keyboard", () => {
  expect(keysOf("newThread", false)).toEqual(["Ctrl", "Shift", "O"]);
  expect(keysOf("palette", true)).toEqual(["⌘", "K"]);
});
