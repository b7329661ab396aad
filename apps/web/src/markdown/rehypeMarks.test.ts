import type { Element, ElementContent, Root } from "hast";
import { expect, test } from "vitest";
import { rehypeMarks } from "./rehypeMarks";
import { splitSentences } from "./sentences";

const element = (tagName: string, ...children: (string | ElementContent)[]): Element => ({
  type: "element",
  tagName,
  properties: {},
  children: children.map((child) =>
    typeof child === "string" ? { type: "text", value: child } : child,
  ),
});

const markOslo = rehypeMarks((prose) =>
  splitSentences(prose)
    .filter(({ start, end }) => prose.slice(start, end).includes("Oslo"))
    .map((range) => ({ ...range, sources: ["m1", "m2"] })),
);

/** The tree as text: marked text in brackets, with a dot after the last piece of a sentence. */
function marked(...blocks: Element[]): string {
  const root: Root = { type: "root", children: blocks };
  markOslo(root);
  const write = (node: Root | ElementContent): string => {
    if (node.type === "text") return node.value;
    if (!("children" in node)) return "";
    const text = node.children.map((child) => write(child as ElementContent)).join("");
    if (node.type !== "element" || node.tagName !== "mark") return text;
    expect(node.properties["dataSources"]).toBe("m1 m2");
    return `[${text}]${node.properties["dataLast"] ? "•" : ""}`;
  };
  return write(root);
}

test("only sentences with a source are marked", () => {
  expect(marked(element("p", "Hello there. You live in Oslo. Bye."))).toBe(
    "Hello there. [You live in Oslo.]• Bye.",
  );
});

test("a sentence with formatted words is marked in pieces", () => {
  expect(marked(element("p", "Yes. You live in ", element("strong", "Oslo"), "."))).toBe(
    "Yes. [You live in ][Oslo][.]•",
  );
});

test("list items are marked, and their nested blocks separately", () => {
  const list = element("ul", element("li", "Oslo", element("ul", element("li", "Bergen"))));
  expect(marked(list)).toBe("[Oslo]•Bergen");
  expect(marked(element("ul", element("li", element("p", "In Oslo."))))).toBe("[In Oslo.]•");
});

test("code is never marked", () => {
  expect(marked(element("pre", element("code", "Oslo")))).toBe("Oslo");
  expect(marked(element("p", "Run ", element("code", "Oslo"), "."))).toBe("Run Oslo.");
});
