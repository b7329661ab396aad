import { expect, test } from "vitest";
import { begin, finish, giveUp, toolLabel, toolTopic } from "./tools";

const SEARCH = { id: "1", tool: "web_search", input: { query: " rain in Oslo " } };
const ended = (call: typeof SEARCH, status: string, output = "") =>
  finish(begin([], call), { id: call.id, output, status });
const labels = (tools: Parameters<typeof giveUp>[0]) => tools.map(toolLabel);

test("a tool says what it does, and then what it did", () => {
  expect(labels(begin([], SEARCH))).toEqual(["Searching the web…"]);
  expect(labels(ended(SEARCH, "ok"))).toEqual(["Searched the web"]);
});

test.each(["failed", "timed_out", "error"])(
  "one that ended as %s does not claim success",
  (status) => {
    expect(labels(ended(SEARCH, status))).toEqual(["The web could not be searched"]);
  },
);

test("only the call that ended has ended", () => {
  const two = begin(begin([], SEARCH), { ...SEARCH, id: "2" });
  const states = finish(two, { id: "2", output: "", status: "ok" }).map(({ state }) => state);
  expect(states).toEqual(["running", "done"]);
});

test("what still runs at the end of the answer came to nothing", () => {
  expect(labels(giveUp(begin([], SEARCH)))).toEqual(["The web could not be searched"]);
  expect(labels(giveUp(ended(SEARCH, "ok")))).toEqual(["Searched the web"]);
});

test("what was forgotten is told by its words, never by its id", () => {
  const call = { id: "1", tool: "forget", input: { what: "7f0c", query: "" } };
  expect(begin([], call).map(toolTopic)).toEqual([""]);
  expect(ended(call, "ok", "Forgotten: Lives in Oslo").map(toolTopic)).toEqual(["Lives in Oslo"]);
  expect(ended(call, "error", "Which one?").map(toolTopic)).toEqual([""]);
});

test("a tool is shown by what it is about, and an unknown one by its name", () => {
  expect(begin([], SEARCH).map(toolTopic)).toEqual(["rain in Oslo"]);
  const unknown = begin([], { ...SEARCH, tool: "dice" });
  expect(labels(unknown)).toEqual(["Used dice"]);
  expect(unknown.map(toolTopic)).toEqual([""]);
});
