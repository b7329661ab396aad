import { expect, test } from "vitest";
import { differingQuote } from "./quote";

test("a quote is shown unless the memory consists of the same words", () => {
  const text = "Plays the cello (since 2019)";
  expect(differingQuote(text, "I play the cello.")).toBe("I play the cello.");
  expect(differingQuote(text, "Plays the cello")).toBeNull();
  expect(differingQuote("My exam is soon", "My exam is soon!")).toBeNull();
  expect(differingQuote(text, null)).toBeNull();
});
