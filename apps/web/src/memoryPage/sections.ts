import type { Memory } from "../api/types";
import { CATEGORIES } from "./pageAddress";

export type SectionName = Memory["category"] | "procedural" | "episodic";
export type Section = { readonly name: SectionName; readonly memories: readonly Memory[] };

const ORDER: readonly SectionName[] = ["procedural", ...CATEGORIES, "episodic"];

/** Group memories: facts by their category, instructions and conversations; empty groups are omitted. */
export function groupMemories(memories: readonly Memory[]): readonly Section[] {
  return ORDER.map((name) => ({
    name,
    memories: memories.filter((memory) => sectionOf(memory) === name),
  })).filter((section) => section.memories.length > 0);
}

function sectionOf({ kind, category }: Memory): SectionName {
  return kind === "user" ? category : kind;
}
