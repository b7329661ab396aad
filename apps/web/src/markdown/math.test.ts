import { expect, test } from "vitest";
import { normalizeMath } from "./math";

test.each([
  ["It costs $5 and $10.", "It costs \\$5 and \\$10."],
  ["From $5-$10 a month, or $1,299.99.", "From \\$5-\\$10 a month, or \\$1,299.99."],
])("the prices in %j are not a formula", (markdown, escaped) => {
  expect(normalizeMath(markdown)).toBe(escaped);
});

test.each(["`$5` and `$10`", "```sh\necho $1 $2\n```", "The area is $\\pi r^2$.", "$$\nx\n$$"])(
  "%j is not changed",
  (markdown) => {
    expect(normalizeMath(markdown)).toBe(markdown);
  },
);

test("brackets become dollar signs outside of code", () => {
  expect(normalizeMath("`\\(x\\)` and \\(y\\)")).toBe("`\\(x\\)` and $y$");
  expect(normalizeMath("Thus\n\\[\nx = 1\n\\]")).toBe("Thus\n$$x = 1$$");
});
