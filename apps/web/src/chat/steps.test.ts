import { expect, test } from "vitest";
import type { MemoryId, ToolCall, ToolResult } from "../api/types";
import { en } from "../strings/en";
import {
  failRunningSteps,
  finishStep,
  forgottenMemory,
  restoredMemories,
  startStep,
  stepLabel,
  stepSubject,
  type ToolStep,
} from "./steps";

const SEARCH = { id: "1", name: "web_search", input: { query: " rain in Oslo " } };
const runToEnd = (call: ToolCall, status: ToolResult["status"], output = "") =>
  finishStep(startStep([], call), { id: call.id, output, status });
const labels = (steps: Parameters<typeof failRunningSteps>[0]) =>
  steps.map((step) => stepLabel(en.steps, step));

test("the label of a step depends on its state", () => {
  expect(labels(startStep([], SEARCH))).toEqual(["Searching the web…"]);
  expect(labels(runToEnd(SEARCH, "ok"))).toEqual(["Searched the web"]);
});

test.each(["failed", "timed_out"] as const)("status %s is labelled as a failure", (status) => {
  expect(labels(runToEnd(SEARCH, status))).toEqual(["Web search failed"]);
});

test("finishing a step does not change other steps of the same tool", () => {
  const steps = startStep(startStep([], SEARCH), { ...SEARCH, id: "2" });
  const finished = finishStep(steps, { id: "2", output: "", status: "ok" });
  expect(finished.map(({ state }) => state)).toEqual(["running", "done"]);
});

test("only running steps are marked as failed", () => {
  expect(labels(failRunningSteps(startStep([], SEARCH)))).toEqual(["Web search failed"]);
  expect(labels(failRunningSteps(runToEnd(SEARCH, "ok")))).toEqual(["Searched the web"]);
});

test("a forget step shows the text of the memory, never its id", () => {
  const call = { id: "1", name: "forget", input: { ids: ["7f0c"], query: "" } };
  expect(startStep([], call).map(stepSubject)).toEqual([""]);
  expect(runToEnd(call, "ok", "Forgotten: Lives in Oslo").map(stepSubject)).toEqual([
    "Lives in Oslo",
  ]);
  expect(runToEnd(call, "failed", "Which one?").map(stepSubject)).toEqual([""]);
});

const forgottenNow = (step: ToolStep) => forgottenMemory(step, new Set());

test("what was restored in the chat cannot be undone again", () => {
  const forget = { id: "1", name: "forget", input: { ids: ["7f0c", "8a1d"] } };
  const undo = { id: "2", name: "undo", input: { ids: ["8a1d"], text: "Lives in Oslo" } };
  const steps = runToEnd(forget, "ok", "Forgotten: Lives in Oslo");
  expect(restoredMemories(startStep([], undo))).toEqual([]);
  const restored = new Set(restoredMemories(runToEnd(undo, "ok", "Restored: Lives in Oslo")));
  expect(steps.map((step) => forgottenMemory(step, restored))).toEqual([null]);
  expect(steps.map((step) => forgottenMemory(step, new Set(["9b2e"] as MemoryId[])))).toEqual([
    "7f0c",
  ]);
});

test("forgetting can be undone once it is done", () => {
  const call = { id: "1", name: "forget", input: { ids: ["7f0c"], query: "" } };
  expect(startStep([], call).map(forgottenNow)).toEqual([null]);
  expect(runToEnd(call, "ok", "Forgotten: Lives in Oslo").map(forgottenNow)).toEqual(["7f0c"]);
  expect(runToEnd(call, "failed", "Nothing is forgotten.").map(forgottenNow)).toEqual([null]);
  expect(runToEnd(SEARCH, "ok").map(forgottenNow)).toEqual([null]);
});

test("an unknown tool is labelled by its name and has no subject", () => {
  expect(startStep([], SEARCH).map(stepSubject)).toEqual(["rain in Oslo"]);
  const unknown = startStep([], { ...SEARCH, name: "dice" });
  expect(labels(unknown)).toEqual(["Used dice"]);
  expect(unknown.map(stepSubject)).toEqual([""]);
});
