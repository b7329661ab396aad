import { expect, test } from "vitest";
import type { ToolResult } from "../api/types";
import { en } from "../strings/en";
import {
  failRunningSteps,
  finishStep,
  forgottenMemory,
  startStep,
  stepLabel,
  stepSubject,
} from "./steps";

const SEARCH = { id: "1", name: "web_search", input: { query: " rain in Oslo " } };
const runToEnd = (call: typeof SEARCH, status: ToolResult["status"], output = "") =>
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

test("forgetting can be undone once it is done", () => {
  const call = { id: "1", name: "forget", input: { ids: ["7f0c"], query: "" } };
  expect(startStep([], call).map(forgottenMemory)).toEqual([null]);
  expect(runToEnd(call, "ok", "Forgotten: Lives in Oslo").map(forgottenMemory)).toEqual(["7f0c"]);
  expect(runToEnd(call, "failed", "Nothing is forgotten.").map(forgottenMemory)).toEqual([null]);
  expect(runToEnd(SEARCH, "ok").map(forgottenMemory)).toEqual([null]);
});

test("an unknown tool is labelled by its name and has no subject", () => {
  expect(startStep([], SEARCH).map(stepSubject)).toEqual(["rain in Oslo"]);
  const unknown = startStep([], { ...SEARCH, name: "dice" });
  expect(labels(unknown)).toEqual(["Used dice"]);
  expect(unknown.map(stepSubject)).toEqual([""]);
});
