import type { Strings } from "../strings";
import type { MemoryId, ToolCall, ToolResult } from "../api/types";

/** A tool call of an answer. */
export type ToolStep = ToolCall & {
  readonly state: "running" | "done" | "failed";
  readonly output: string;
};

type ToolName = keyof Strings["steps"]["tools"];

const SUBJECTS: Readonly<Record<ToolName, (step: ToolStep) => unknown>> = {
  web_search: ({ input }) => input["query"],
  find_memories: ({ input }) => input["query"],
  remember: ({ input }) => input["text"],
  undo: ({ input }) => input["text"],
  pause_memory: () => "",
  resume_memory: () => "",
  memory_settings: () => "",
  // The input contains ids; only the output contains the texts of the memories.
  forget: ({ output, state }) => (state === "done" ? /^Forgotten: (.+)$/s.exec(output)?.[1] : ""),
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

export function stepLabel(
  strings: Strings["steps"],
  { name, state }: Pick<ToolStep, "name" | "state">,
): string {
  if (isToolName(name)) return strings.tools[name][state];
  return state === "failed" ? strings.failed(name) : strings.used(name);
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(SUBJECTS, name);
}

/**
 * A memory that a step has forgotten, unless it was restored since; undoing it restores all that the step has
 * forgotten. Null if there is none.
 */
export function forgottenMemory(step: ToolStep, restored: ReadonlySet<MemoryId>): MemoryId | null {
  const ids = step.name === "forget" ? memoriesOf(step) : [];
  return ids.some((id) => restored.has(id)) ? null : (ids[0] ?? null);
}

/** The memories that steps have restored. */
export function restoredMemories(steps: readonly ToolStep[]): readonly MemoryId[] {
  return steps.filter(({ name }) => name === "undo").flatMap(memoriesOf);
}

function memoriesOf({ state, input }: ToolStep): readonly MemoryId[] {
  const ids: unknown = state === "done" ? input["ids"] : null;
  return Array.isArray(ids) ? ids.filter((id): id is MemoryId => typeof id === "string") : [];
}

/** The query or memory text of a step; empty if unknown. */
export function stepSubject(step: ToolStep): string {
  const subject = isToolName(step.name) ? SUBJECTS[step.name](step) : "";
  return typeof subject === "string" ? subject.trim() : "";
}
