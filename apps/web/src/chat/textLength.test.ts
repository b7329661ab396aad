import { expect, test } from "vitest";
import { countCharacters, MAX_CHARACTERS } from "./textLength";

test("the limit counts characters, not UTF-16 units", () => {
  expect(countCharacters("😀".repeat(MAX_CHARACTERS))).toBe(MAX_CHARACTERS);
  expect(countCharacters("a".repeat(MAX_CHARACTERS + 1))).toBe(MAX_CHARACTERS + 1);
  expect(countCharacters("Hello")).toBe(5);
});
