import type { MemoryId, ToolCall, ToolResult } from "../api/types";

/** A tool call of an answer. */
export type ToolStep = ToolCall & {
  readonly state: "running" | "done" | "failed";
  readonly output: string;
};

type ToolLabels = {
  readonly running: string;
  readonly done: string;
  readonly failed: string;
  readonly subject: (step: ToolStep) => unknown;
};

const TOOL_LABELS: Readonly<Record<string, ToolLabels>> = {
  web_search: {
    running: "Searching the web",
    done: "Searched the web",
    failed: "Web search failed",
    subject: ({ input }) => input["query"],
  },
  find_memories: {
    running: "Searching memory",
    done: "Searched memory",
    failed: "Memory search failed",
    subject: ({ input }) => input["query"],
  },
  remember: {
    running: "Remembering",
    done: "Remembered",
    failed: "Not remembered",
    subject: ({ input }) => input["text"],
  },
  forget: {
    running: "Forgetting",
    done: "Forgot",
    failed: "Nothing was forgotten",
    // The input contains ids; only the output contains the texts of the memories.
    subject: ({ output, state }) =>
      state === "done" ? /^Forgotten: (.+)$/s.exec(output)?.[1] : "",
  },
};

export function startStep(steps: readonly ToolStep[], call: ToolCall): readonly ToolStep[] {
  const others = steps.filter(({ id }) => id !== call.id);
  return [...others, { ...call, state: "running", output: "" }];
}

export function finishStep(
  steps: readonly ToolStep[],
  { id, output, status }: ToolResult,
): readonly ToolStep[] {
  const state = status === "ok" ? "done" : "failed";
  return steps.map((step) => (step.id === id ? { ...step, state, output } : step));
}

/** Mark all running steps as failed, for an answer that was stopped or interrupted. */
export function failRunningSteps(steps: readonly ToolStep[]): readonly ToolStep[] {
  return steps.map((step) => (step.state === "running" ? { ...step, state: "failed" } : step));
}

export function stepLabel({ name, state }: Pick<ToolStep, "name" | "state">): string {
  const labels = TOOL_LABELS[name];
  if (labels === undefined) return state === "failed" ? `${name} failed` : `Used ${name}`;
  return state === "running" ? `${labels.running}…` : labels[state];
}

/** A memory that a step has forgotten; undoing it restores all that the step has forgotten. Null if there is none. */
export function forgottenMemory({ name, state, input }: ToolStep): MemoryId | null {
  const ids: unknown = name === "forget" && state === "done" ? input["ids"] : null;
  const first: unknown = Array.isArray(ids) ? ids[0] : null;
  return typeof first === "string" ? (first as MemoryId) : null;
}

/** The query or memory text of a step; empty if unknown. */
export function stepSubject(step: ToolStep): string {
  const subject = TOOL_LABELS[step.name]?.subject(step);
  return typeof subject === "string" ? subject.trim() : "";
}
