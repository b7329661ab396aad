import { createContext, use } from "react";
import type { MessageId, RecalledMemory } from "../api/types";
import type { FindSources } from "../markdown/rehypeMarks";
import type { Recall } from "./messages";

type RecallContextValue = {
  readonly recall: Recall | null;
  /** The answer; null until it is saved. */
  readonly answer: MessageId | null;
  /** Null: nothing is marked. */
  readonly findSources: FindSources | null;
  /** Show a memory in the list under the answer. */
  readonly onHighlight: (memory: RecalledMemory | null) => void;
};

/** What was recalled for the answer around it. */
export const RecallContext = createContext<RecallContextValue>({
  recall: null,
  answer: null,
  findSources: null,
  onHighlight: () => undefined,
});

export const useRecall = () => use(RecallContext);
