import { expect, test } from "vitest";
import { highlight } from "./highlighter";
import { GRAMMARS, grammarsOf } from "./languages";

test("aliases and capital letters name the same grammar", () => {
  expect(grammarsOf("TSX")[0]).toBe("typescript");
  expect(grammarsOf("C++")[0]).toBe("cpp");
  expect(grammarsOf("html")).toEqual(["xml", "css", "javascript"]);
});

test("an unknown language and a property of Object have no grammar", () => {
  expect(grammarsOf("mermaid")).toEqual([]);
  expect(grammarsOf("constructor")).toEqual([]);
});

test("each grammar of an embedded language exists", () => {
  const missing = Object.keys(GRAMMARS)
    .flatMap(grammarsOf)
    .filter((name) => !(name in GRAMMARS));
  expect(missing).toEqual([]);
});

test("code is highlighted, and its text does not change", async () => {
  const tree = await highlight("const a = '<b>';", "js");
  const text = (node: unknown): string => {
    const { value, children = [] } = node as { value?: string; children?: unknown[] };
    return value ?? children.map(text).join("");
  };
  expect(text(tree)).toBe("const a = '<b>';");
  expect(JSON.stringify(tree)).toContain("hljs-keyword");
});

test("code of an unknown language or of great length is not highlighted", async () => {
  expect(await highlight("graph TD", "mermaid")).toBeNull();
  expect(await highlight("x".repeat(20_001), "js")).toBeNull();
});
