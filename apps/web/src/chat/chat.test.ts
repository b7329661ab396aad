import { expect, test } from "vitest";
import type {
  MemoryId,
  MessageId,
  Problem,
  RecalledMemory,
  RunEvent,
  SavedMessage,
  ThreadId,
} from "../api/types";
import {
  chatReducer,
  LOADING_CHAT,
  nextOutgoing,
  NEW_CHAT,
  NEW_TEMPORARY_CHAT,
  questionOf,
  unansweredMessage,
  type Chat,
  type ChatAction,
  type Outgoing,
} from "./chat";

const MESSAGE = { id: "q1" as MessageId, text: "Where do I live?" };
const PROBLEM: Problem = { code: "x", title: "Something failed.", detail: "" };
const MEMORY: RecalledMemory = {
  id: "m1" as MemoryId,
  kind: "user",
  text: "Lives in London",
  score: 0.7,
  why: "recalled",
  source_thread: "t1" as ThreadId,
  ts: "2026-11-20T10:00:00Z",
};

const SOURCE = { title: "Oslo", url: "https://oslo.example", text: "A city." };

const reduce = (start: Chat, ...actions: ChatAction[]) => actions.reduce(chatReducer, start);
const sent: ChatAction = { type: "messageSent", message: MESSAGE, temporary: false };
const loaded = (messages: readonly SavedMessage[], temporary = false): ChatAction => ({
  type: "loaded",
  messages,
  branches: [],
  temporary,
});
const received = (event: RunEvent): ChatAction => ({ type: "eventReceived", event });
const token = (text: string) => received({ event: "token", data: { text } });
const OMITTED: RecalledMemory = { ...MEMORY, id: "m2" as MemoryId, why: "standing" };
const recalled = (degraded: boolean) =>
  received({
    event: "memory.recalled",
    data: { memories: [MEMORY], omitted: [OMITTED], tip_chars: 90, degraded, elapsed_ms: 9 },
  });
const finished = (status: "completed" | "cancelled") =>
  received({ event: "run.finished", data: { status } });
const completed = (text: string, finish_reason: "stop" | "length" | "content_filter" = "stop") =>
  received({
    event: "message.completed",
    data: { message_id: "a1", text, usage: {}, finish_reason, sources: [SOURCE], model: "large" },
  });

test("a sent message is added at once with an empty answer", () => {
  const chat = reduce(NEW_CHAT, sent);
  expect(chat.messages.map(({ role, text }) => [role, text])).toEqual([
    ["user", "Where do I live?"],
    ["assistant", ""],
  ]);
  expect(chat.run).toEqual({ state: "running", stopping: false });
});

test("tokens extend the answer and message.completed replaces it", () => {
  const growing = reduce(NEW_CHAT, sent, token("In "), token("Lon"));
  expect(growing.messages.at(-1)?.text).toBe("In Lon");
  const done = reduce(growing, completed("In London."), finished("completed"));
  expect(done.messages.at(-1)?.text).toBe("In London.");
  expect(done.run.state).toBe("idle");
  expect(done.announcement).toEqual({ type: "answer", text: "In London." });
});

test("an answer has the recalled memories and the degraded flag", () => {
  const chat = reduce(NEW_CHAT, sent, recalled(true), token("In London."), finished("completed"));
  expect(chat.messages.at(-1)?.recall).toEqual({
    memories: [MEMORY],
    omitted: [OMITTED],
    degraded: true,
  });
  expect(chat.messages.at(0)?.recall).toBeNull();
});

test("an answer that is cut off says why, also after a reload", () => {
  const lastOf = (chat: Chat) => chat.messages.at(-1);
  const done = finished("completed");
  expect(lastOf(reduce(NEW_CHAT, sent, completed("In London."), done))?.cutOff).toBeNull();
  expect(lastOf(reduce(NEW_CHAT, sent, completed("In", "length"), done))?.cutOff).toBe("length");
  const failed = reduce(NEW_CHAT, sent, token("In"), { type: "streamFailed", problem: PROBLEM });
  expect(lastOf(failed)?.cutOff).toBe("failed");
  const answer = { id: "a1" as MessageId, role: "assistant", text: "In", ts: MEMORY.ts } as const;
  const saved = reduce(LOADING_CHAT, loaded([{ ...answer, finish_reason: "content_filter" }]));
  expect(lastOf(saved)?.cutOff).toBe("content_filter");
  expect(lastOf(reduce(LOADING_CHAT, loaded([{ ...answer, status: "failed" }])))?.cutOff).toBe(
    "failed",
  );
});

test("a stopped answer keeps its text", () => {
  for (const end of [finished("cancelled"), { type: "stopped" } as const]) {
    const chat = reduce(NEW_CHAT, sent, token("In "), { type: "stopRequested" }, end);
    expect(chat.messages.at(-1)).toMatchObject({ text: "In ", stopped: true });
    expect(chat.run.state).toBe("idle");
  }
});

test("a stream that ends before run.finished is a failure", () => {
  const chat = reduce(NEW_CHAT, sent, token("In "), { type: "streamEnded" });
  expect(chat.run).toMatchObject({ state: "failed", problem: { code: "stream_broken" } });
  expect(unansweredMessage(chat)).toMatchObject(MESSAGE);
});

test("a stream that ends after run.finished is not a failure", () => {
  const chat = reduce(NEW_CHAT, sent, token("Yes"), finished("completed"), { type: "streamEnded" });
  expect(chat.run.state).toBe("idle");
  expect(unansweredMessage(chat)).toBeNull();
});

test.each<[string, ChatAction]>([
  ["a failed run", received({ event: "run.failed", data: { problem: PROBLEM } })],
  ["a failed connection", { type: "streamFailed", problem: PROBLEM }],
])("%s shows the problem and can be retried", (_, failure) => {
  const chat = reduce(NEW_CHAT, sent, failure);
  expect(chat.run).toEqual({ state: "failed", problem: PROBLEM });
  expect(unansweredMessage(chat)).toMatchObject(MESSAGE);
});

test("a retry replaces the failed answer and does not repeat the message", () => {
  const failed = reduce(NEW_CHAT, sent, recalled(false), token("In Lo"), { type: "streamEnded" });
  const retried = reduce(failed, sent);
  expect(retried.messages).toEqual(reduce(NEW_CHAT, sent).messages);
  expect(reduce(retried, token("In London.")).messages.at(-1)?.text).toBe("In London.");
});

test("saved messages keep their recalled memories", () => {
  const saved = (role: SavedMessage["role"], memories?: readonly RecalledMemory[]) => ({
    id: role as string as MessageId,
    role,
    text: role,
    ts: MEMORY.ts,
    ...(memories && { memories }),
  });
  const messages = [saved("user"), saved("assistant", [MEMORY])];
  const chat = reduce(LOADING_CHAT, { type: "loadStarted" }, loaded(messages));
  expect(chat.history).toBe("loaded");
  expect(chat.messages.map((message) => message.recall)).toEqual([
    null,
    { memories: [MEMORY], omitted: [], degraded: false },
  ]);
  expect(unansweredMessage(chat)).toBeNull();
});

test("a saved message without an answer can be retried", () => {
  const messages = [{ ...MESSAGE, role: "user" as const, ts: MEMORY.ts }];
  expect(unansweredMessage(reduce(LOADING_CHAT, loaded(messages)))).toMatchObject(MESSAGE);
});

test("a thread that cannot be loaded shows the problem", () => {
  expect(reduce(LOADING_CHAT, { type: "loadFailed", problem: PROBLEM }).history).toEqual(PROBLEM);
});

test("reloading a thread keeps its messages and does not affect a run", () => {
  const running = reduce(NEW_CHAT, sent, token("In "));
  const messages: SavedMessage[] = [];
  expect(reduce(running, { type: "loadStarted" }).history).toBe("loaded");
  expect(reduce(running, loaded(messages))).toBe(running);
  expect(reduce(running, { type: "loadFailed", problem: PROBLEM })).toBe(running);
});

test("events after the end of a run are ignored", () => {
  const done = reduce(NEW_CHAT, sent, token("Yes"), finished("completed"));
  expect(
    reduce(done, token("!"), recalled(false), { type: "stopRequested" }, { type: "stopped" }),
  ).toBe(done);
});

test("tool calls are shown as steps and announced to screen readers", () => {
  const call = { id: "c1", name: "remember", input: { text: "Plays the violin" } };
  const running = reduce(NEW_CHAT, sent, received({ event: "tool.started", data: call }));
  expect(running.announcement).toEqual({ type: "tool", name: "remember" });
  expect(running.messages.at(-1)?.steps).toMatchObject([{ id: "c1", state: "running" }]);
  const toolFinished = received({
    event: "tool.finished",
    data: { id: "c1", name: "remember", output: "", status: "ok", elapsed_ms: 5 },
  });
  expect(reduce(running, toolFinished).messages.at(-1)?.steps).toMatchObject([{ state: "done" }]);
});

test.each<[string, ChatAction]>([
  ["stopped", { type: "stopped" }],
  ["failed", { type: "streamEnded" }],
])("a %s answer has no running steps", (_, end) => {
  const call = { id: "c1", name: "web_search", input: {} };
  const chat = reduce(NEW_CHAT, sent, received({ event: "tool.started", data: call }), end);
  expect(chat.messages.at(-1)?.steps).toMatchObject([{ state: "failed" }]);
});

test("a chat stays temporary after its first message and after a reload", () => {
  expect(reduce(NEW_TEMPORARY_CHAT, { ...sent, temporary: true }).temporary).toBe(true);
  expect(reduce(LOADING_CHAT, loaded([], true)).temporary).toBe(true);
  expect(reduce(LOADING_CHAT, loaded([])).temporary).toBe(false);
});

test("a stopped or failed answer keeps its status after a reload", () => {
  const saved = (status: SavedMessage["status"]): SavedMessage[] => [
    { ...MESSAGE, role: "user", ts: MEMORY.ts },
    {
      id: "a1" as MessageId,
      role: "assistant",
      text: "In",
      ts: MEMORY.ts,
      ...(status && { status }),
    },
  ];
  const stopped = reduce(LOADING_CHAT, loaded(saved("cancelled")));
  expect(stopped.messages.at(-1)?.stopped).toBe(true);
  expect(unansweredMessage(stopped)).toBeNull();
  const failed = reduce(LOADING_CHAT, loaded(saved("failed")));
  expect(failed.run).toMatchObject({ state: "failed", problem: { code: "stream_broken" } });
  expect(unansweredMessage(failed)).toMatchObject(MESSAGE);
});

const WAITING: Outgoing = { ...MESSAGE, options: {}, problem: null };
const queued = (message: Outgoing): ChatAction => ({ type: "messageQueued", message });

test("a message without network waits, and is part of the thread once it is sent", () => {
  const waiting = reduce(NEW_CHAT, queued(WAITING));
  expect(waiting.messages).toEqual([]);
  expect(nextOutgoing(waiting)).toEqual(WAITING);
  const running = reduce(waiting, sent);
  expect(running.outgoing).toEqual([]);
  expect(running.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("a message that the gateway did not accept returns to the front of the waiting ones", () => {
  const later = { ...WAITING, id: "q2" as MessageId };
  const running = reduce(NEW_CHAT, sent, queued(later));
  const rejected = { ...WAITING, problem: PROBLEM };
  const chat = reduce(running, { type: "messageNotSent", message: rejected });
  expect(chat.messages).toEqual([]);
  expect(chat.run.state).toBe("idle");
  expect(chat.outgoing).toEqual([rejected, later]);
  expect(nextOutgoing(chat)).toBeNull();
});

test("a waiting message that is already saved is not shown twice", () => {
  const saved = [{ ...MESSAGE, role: "user" as const, ts: MEMORY.ts }];
  const other = { ...WAITING, id: "q2" as MessageId };
  const chat = reduce(LOADING_CHAT, queued(WAITING), queued(other), loaded(saved));
  expect(chat.outgoing).toEqual([other]);
});

test("a withdrawn message is removed", () => {
  const chat = reduce(NEW_CHAT, queued(WAITING), { type: "messageWithdrawn", id: WAITING.id });
  expect(chat.outgoing).toEqual([]);
});

test("a thread with waiting messages is not hidden while it loads", () => {
  const chat = reduce(NEW_CHAT, queued(WAITING), { type: "loadStarted" });
  expect(chat.history).toBe("loaded");
  expect(reduce(chat, { type: "loadFailed", problem: PROBLEM }).history).toBe("loaded");
});

test("a loaded message has the branches that differ from it, and so has the next new message", () => {
  const branches = [{ position: 0, threads: ["t1", "t2"] as ThreadId[], current: 1 }];
  const before = reduce(LOADING_CHAT, {
    type: "loaded",
    messages: [],
    branches,
    temporary: false,
  });
  expect(reduce(before, sent).messages.map((message) => message.branches)).toEqual([
    branches[0],
    null,
  ]);
});

test("a rating is that of the answer with this id", () => {
  const feedback = { rating: "down", reason: "Too long" } as const;
  const done = reduce(NEW_CHAT, sent, completed("In London."), finished("completed"));
  const answer = done.messages[1];
  const rated = reduce(done, { type: "rated", id: answer?.id ?? MESSAGE.id, feedback });
  expect(answer?.savedId).toBe("a1");
  expect(answer?.sources).toEqual([SOURCE]);
  expect(answer?.model).toBe("large");
  expect(rated.messages.map((message) => message.feedback)).toEqual([null, feedback]);
  expect(questionOf(rated, answer?.id ?? "")?.text).toBe("Where do I live?");
});
