import type { Element, ElementContent, Root, Text } from "hast";
import type { TextRange } from "./sentences";

/** A passage and the ids of its sources, at least one. */
export type SourcedRange = TextRange & { readonly sources: readonly string[] };

/** Returns the passages of a text that have sources, in order. */
export type FindSources = (prose: string) => readonly SourcedRange[];

const PROSE = new Set(["p", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"]);
const INLINE = new Set(["a", "del", "em", "strong", "sub", "sup"]);

/**
 * Wrap each passage that has sources into `<mark>` elements.
 *
 * A passage with formatted words has several of them. Each has the source ids, separated by
 * spaces, in `dataSources`; the last one of a passage has `dataLast`. Code and formulas are skipped.
 */
export function rehypeMarks(findSources: FindSources) {
  return (tree: Root) => markChildren(tree, findSources);
}

function markChildren(parent: Root | Element, findSources: FindSources): void {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    if (PROSE.has(child.tagName)) markProse(child, findSources);
    if (child.tagName !== "pre") markChildren(child, findSources);
  }
}

function markProse(prose: Element, findSources: FindSources): void {
  const text = textNodes(prose)
    .map(({ value }) => value)
    .join("");
  const ranges = findSources(text);
  if (ranges.length > 0) wrapRanges(prose, ranges, 0);
}

/** The text of a block in document order, without its code, formulas and nested blocks. */
function textNodes(parent: Element): readonly Text[] {
  return parent.children.flatMap((child) => {
    if (child.type === "text") return [child];
    return child.type === "element" && INLINE.has(child.tagName) ? textNodes(child) : [];
  });
}

/** Returns: the offset after the last text of `parent`. */
function wrapRanges(parent: Element, ranges: readonly SourcedRange[], offset: number): number {
  let position = offset;
  parent.children = parent.children.flatMap((child): ElementContent[] => {
    if (child.type === "text") {
      const pieces = wrapText(child.value, ranges, position);
      position += child.value.length;
      return pieces;
    }
    if (child.type === "element" && INLINE.has(child.tagName)) {
      position = wrapRanges(child, ranges, position);
    }
    return [child];
  });
  return position;
}

function wrapText(text: string, ranges: readonly SourcedRange[], offset: number): ElementContent[] {
  const pieces: ElementContent[] = [];
  let done = 0;
  for (const { start, end, sources } of ranges) {
    const from = Math.max(start - offset, done);
    const to = Math.min(end - offset, text.length);
    if (from >= to) continue;
    if (from > done) pieces.push({ type: "text", value: text.slice(done, from) });
    const properties = {
      dataSources: sources.join(" "),
      ...(to === end - offset && { dataLast: "true" }),
    };
    const value = text.slice(from, to);
    pieces.push({
      type: "element",
      tagName: "mark",
      properties,
      children: [{ type: "text", value }],
    });
    done = to;
  }
  if (done < text.length) pieces.push({ type: "text", value: text.slice(done) });
  return pieces;
}
