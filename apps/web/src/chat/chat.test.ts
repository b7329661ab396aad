import { expect, test } from "vitest";
import type { RunEvent } from "../api/events";
import type { Problem } from "../api/problem";
import type { MemoryId, MessageId, RecalledMemory, SavedMessage, ThreadId } from "../api/types";
import {
  chatReducer,
  NEW_CHAT,
  OPENING_CHAT,
  TEMPORARY_CHAT,
  unanswered,
  type Chat,
  type ChatAction,
} from "./chat";

const QUESTION = { id: "q1" as MessageId, text: "Where do I live?" };
const PROBLEM: Problem = { code: "x", title: "It went wrong.", detail: null };
const MEMORY: RecalledMemory = {
  id: "m1" as MemoryId,
  kind: "user",
  text: "Lives in London",
  score: 0.7,
  source_thread: "t1" as ThreadId,
  ts: "2026-11-20T10:00:00Z",
};

const play = (start: Chat, ...actions: ChatAction[]) => actions.reduce(chatReducer, start);
const asked: ChatAction = { type: "asked", question: QUESTION, temporary: false };
const loaded = (messages: readonly SavedMessage[], temporary = false): ChatAction => ({
  type: "loaded",
  messages,
  temporary,
});
const heard = (event: RunEvent): ChatAction => ({ type: "heard", event });
const token = (text: string) => heard({ name: "token", text });
const recalled = (degraded: boolean) =>
  heard({ name: "memory.recalled", memories: [MEMORY], tip_chars: 90, degraded, elapsed_ms: 9 });
const finished = (status: "completed" | "cancelled") => heard({ name: "run.finished", status });
const completed = (text: string) =>
  heard({ name: "message.completed", message_id: "a1" as MessageId, text });

test("a question stands in the thread at once, with an empty answer under it", () => {
  const chat = play(NEW_CHAT, asked);
  expect(chat.messages.map(({ role, text }) => [role, text])).toEqual([
    ["user", "Where do I live?"],
    ["assistant", ""],
  ]);
  expect(chat.run).toEqual({ state: "answering", stopping: false });
});

test("an answer grows by its tokens and ends as the gateway says it ends", () => {
  const growing = play(NEW_CHAT, asked, token("In "), token("Lon"));
  expect(growing.messages.at(-1)?.text).toBe("In Lon");
  const done = play(growing, completed("In London."), finished("completed"));
  expect(done.messages.at(-1)?.text).toBe("In London.");
  expect(done.run.state).toBe("idle");
  expect(done.announcement).toBe("In London.");
});

test("an answer shows the memories it was given, and whether memory was degraded", () => {
  const chat = play(NEW_CHAT, asked, recalled(true), token("In London."), finished("completed"));
  expect(chat.messages.at(-1)?.recalled).toEqual({ memories: [MEMORY], degraded: true });
  expect(chat.messages.at(0)?.recalled).toBeNull();
});

test("a stopped answer keeps what was said", () => {
  for (const end of [finished("cancelled"), { type: "stopped" } as const]) {
    const chat = play(NEW_CHAT, asked, token("In "), { type: "stopping" }, end);
    expect(chat.messages.at(-1)).toMatchObject({ text: "In ", stopped: true });
    expect(chat.run.state).toBe("idle");
  }
});

test("a stream that ends without its last event has broken", () => {
  const chat = play(NEW_CHAT, asked, token("In "), { type: "ended" });
  expect(chat.run).toMatchObject({ state: "failed", problem: { code: "stream_broken" } });
  expect(unanswered(chat)).toMatchObject(QUESTION);
});

test("a stream that ends after its last event has not", () => {
  const chat = play(NEW_CHAT, asked, token("Yes"), finished("completed"), { type: "ended" });
  expect(chat.run.state).toBe("idle");
  expect(unanswered(chat)).toBeNull();
});

test.each<[string, ChatAction]>([
  ["a run that failed", heard({ name: "run.failed", problem: PROBLEM })],
  ["a gateway that could not be reached", { type: "broken", problem: PROBLEM }],
])("%s says why, and can be asked again", (_, failure) => {
  const chat = play(NEW_CHAT, asked, failure);
  expect(chat.run).toEqual({ state: "failed", problem: PROBLEM });
  expect(unanswered(chat)).toMatchObject(QUESTION);
});

test("asking again replaces the broken answer and sends nothing twice", () => {
  const broken = play(NEW_CHAT, asked, recalled(false), token("In Lo"), { type: "ended" });
  const again = play(broken, asked);
  expect(again.messages).toEqual(play(NEW_CHAT, asked).messages);
  expect(play(again, token("In London.")).messages.at(-1)?.text).toBe("In London.");
});

test("saved messages come back with their memories", () => {
  const saved = (role: SavedMessage["role"], memories?: readonly RecalledMemory[]) => ({
    id: role as string as MessageId,
    role,
    text: role,
    ts: MEMORY.ts,
    ...(memories && { memories }),
  });
  const messages = [saved("user"), saved("assistant", [MEMORY])];
  const chat = play(OPENING_CHAT, { type: "opened" }, loaded(messages));
  expect(chat.history).toBe("loaded");
  expect(chat.messages.map((message) => message.recalled)).toEqual([
    null,
    { memories: [MEMORY], degraded: false },
  ]);
  expect(unanswered(chat)).toBeNull();
});

test("a saved question without an answer can be asked again", () => {
  const messages = [{ ...QUESTION, role: "user" as const, ts: MEMORY.ts }];
  expect(unanswered(play(OPENING_CHAT, loaded(messages)))).toMatchObject(QUESTION);
});

test("a thread that cannot be opened says why", () => {
  expect(play(OPENING_CHAT, { type: "unloadable", problem: PROBLEM }).history).toEqual(PROBLEM);
});

test("opening a thread again does not blank it, and never disturbs an answer", () => {
  const answering = play(NEW_CHAT, asked, token("In "));
  const messages: SavedMessage[] = [];
  expect(play(answering, { type: "opened" }).history).toBe("loaded");
  expect(play(answering, loaded(messages))).toBe(answering);
  expect(play(answering, { type: "unloadable", problem: PROBLEM })).toBe(answering);
});

test("what comes late, after the end, changes nothing", () => {
  const done = play(NEW_CHAT, asked, token("Yes"), finished("completed"));
  expect(play(done, token("!"), recalled(false), { type: "stopping" }, { type: "stopped" })).toBe(
    done,
  );
});

test("an answer shows what it does besides talking, and says so to a screen reader", () => {
  const call = { id: "c1", tool: "remember", input: { text: "Plays the violin" } };
  const working = play(NEW_CHAT, asked, heard({ name: "tool.started", call }));
  expect(working.announcement).toBe("Remembering…");
  expect(working.messages.at(-1)?.tools).toMatchObject([{ id: "c1", state: "running" }]);
  const ended = heard({ name: "tool.finished", id: "c1", output: "", status: "ok" });
  expect(play(working, ended).messages.at(-1)?.tools).toMatchObject([{ state: "done" }]);
});

test.each<[string, ChatAction]>([
  ["stopped", { type: "stopped" }],
  ["broken", { type: "ended" }],
])("in a %s answer no tool runs on", (_, end) => {
  const call = { id: "c1", tool: "web_search", input: {} };
  const chat = play(NEW_CHAT, asked, heard({ name: "tool.started", call }), end);
  expect(chat.messages.at(-1)?.tools).toMatchObject([{ state: "failed" }]);
});

test("a temporary thread stays one, from its first message and when it is opened again", () => {
  expect(play(TEMPORARY_CHAT, { ...asked, temporary: true }).temporary).toBe(true);
  expect(play(OPENING_CHAT, loaded([], true)).temporary).toBe(true);
  expect(play(OPENING_CHAT, loaded([])).temporary).toBe(false);
});

test("an answer that was stopped, or broke off, is so still when it is opened again", () => {
  const saved = (status: SavedMessage["status"]): SavedMessage[] => [
    { ...QUESTION, role: "user", ts: MEMORY.ts },
    {
      id: "a1" as MessageId,
      role: "assistant",
      text: "In",
      ts: MEMORY.ts,
      ...(status && { status }),
    },
  ];
  const stopped = play(OPENING_CHAT, loaded(saved("cancelled")));
  expect(stopped.messages.at(-1)?.stopped).toBe(true);
  expect(unanswered(stopped)).toBeNull();
  const broken = play(OPENING_CHAT, loaded(saved("failed")));
  expect(broken.run).toMatchObject({ state: "failed", problem: { code: "stream_broken" } });
  expect(unanswered(broken)).toMatchObject(QUESTION);
});
