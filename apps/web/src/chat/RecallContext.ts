import { createContext, use } from "react";
import type { RecalledMemory } from "../api/types";
import type { Recall } from "./chat";

type RecallContextValue = {
  readonly recall: Recall | null;
  /** Show a memory in the list under the answer. */
  readonly onHighlight: (memory: RecalledMemory | null) => void;
};

/** What was recalled for the answer around it. */
export const RecallContext = createContext<RecallContextValue>({
  recall: null,
  onHighlight: () => undefined,
});

export const useRecall = () => use(RecallContext);
