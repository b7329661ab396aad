import { createContext } from "react";

/** A source that sentences of a text can be marked with. */
export type MarkSource = { readonly id: string; readonly text: string };

export type MarkSources = {
  readonly sources: readonly MarkSource[];
  readonly onShow: (source: MarkSource) => void;
};

export const MarkSourcesContext = createContext<MarkSources>({
  sources: [],
  onShow: () => undefined,
});
