import { useMemo } from "react";
import { useSearchParams } from "wouter";
import type { MemoryFilter } from "../api/client";
import type { Memory, MemoryKind } from "../api/types";

export const VIEWS = ["memories", "timeline", "map"] as const;
export type View = (typeof VIEWS)[number];

const KINDS: readonly MemoryKind[] = ["user", "procedural", "episodic"];
const CATEGORIES: readonly Memory["category"][] = [
  "personal",
  "preference",
  "project",
  "technical",
];
export { CATEGORIES };

/** What the memory page shows, as in its address: `?view=…&q=…&kind=…&category=…`. */
export type PageAddress = {
  readonly view: View;
  readonly query: string;
  readonly kind: MemoryKind | null;
  readonly category: Memory["category"] | null;
};

/** Read an address; unknown values are ignored. */
export function parseAddress(params: URLSearchParams): PageAddress {
  const find = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === params.get(name)) ?? null;
  return {
    view: find(VIEWS, "view") ?? "memories",
    query: params.get("q") ?? "",
    kind: find(KINDS, "kind"),
    category: find(CATEGORIES, "category"),
  };
}

/** The parameters of an address; defaults are omitted. */
export function formatAddress({ view, query, kind, category }: PageAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (view !== "memories") params.set("view", view);
  if (query !== "") params.set("q", query);
  if (kind !== null) params.set("kind", kind);
  if (category !== null) params.set("category", category);
  return params;
}

/** The address of the memory page, and a function to change it. Typing replaces the entry in the browser's history. */
export function usePageAddress() {
  const [params, setParams] = useSearchParams();
  const address = useMemo(() => parseAddress(params), [params]);
  const { query, kind } = address;
  const filter = useMemo<MemoryFilter>(() => ({ kind, query }), [kind, query]);
  const change = (changes: Partial<PageAddress>) =>
    setParams(formatAddress({ ...address, ...changes }), { replace: "query" in changes });
  return { address, filter, change };
}
