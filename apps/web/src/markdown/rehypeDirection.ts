import type { Root } from "hast";

/** Let the browser choose the direction of each block by its first letter. */
export function rehypeDirection() {
  return (tree: Root) => {
    for (const child of tree.children) {
      if (child.type === "element" && child.tagName !== "pre") child.properties["dir"] = "auto";
    }
  };
}
