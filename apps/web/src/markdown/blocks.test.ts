import { expect, test } from "vitest";
import { splitBlocks } from "./blocks";

test("paragraphs, headings and tables are separate blocks", () => {
  expect(splitBlocks("# Title\n\nText\nmore\n\n| a |\n|---|")).toEqual([
    "# Title\n",
    "Text\nmore\n",
    "| a |\n|---|",
  ]);
});

test.each([
  ["a code block with blank lines", "```js\na\n\nb\n```"],
  ["a code block that is still growing", "~~~\na\n\nb"],
  ["a code block that contains a shorter fence", "````\n```\n\na\n\n```\n````"],
  ["display math with blank lines", "$$\na\n\nb\n$$"],
  ["a list with blank lines and nested paragraphs", "1. a\n\n   more\n\n2. b\n\n- c"],
  ["a text with a link definition", "See [this].\n\nMore\n\n[this]: https://example.com"],
  ["a text with a footnote", "See[^1].\n\nMore\n\n[^1]: Note"],
])("%s is one block", (_, markdown) => {
  expect(splitBlocks(markdown)).toEqual([markdown]);
});

test("a paragraph after a list or a code block is a new block", () => {
  expect(splitBlocks("- a\n\nText")).toEqual(["- a\n", "Text"]);
  expect(splitBlocks("```\na\n```\n\nText")).toEqual(["```\na\n```\n", "Text"]);
  expect(splitBlocks("$$x$$\n\nText")).toEqual(["$$x$$\n", "Text"]);
});

test("earlier blocks do not change while the text grows", () => {
  const text = "One\n\n- a\n\n- b\n\n```\nx\n\ny\n```\n\nTwo\n\nThree";
  for (let length = 1; length <= text.length; length++) {
    const blocks = splitBlocks(text.slice(0, length));
    const next = splitBlocks(text.slice(0, length + 1));
    expect(blocks.join("\n")).toBe(text.slice(0, length));
    // A list marker or fence can take back the newest block.
    expect(next.slice(0, Math.max(blocks.length - 2, 0))).toEqual(blocks.slice(0, -2));
  }
});
