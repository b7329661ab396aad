import { expect, test } from "vitest";
import type { MessageId, ThreadId, UserId } from "../api/types";
import { createStorage } from "../ui/fakeStorage";
import { createDrafts, removeUnsent } from "./drafts";
import { createOutbox, type OutboxMessage } from "./outbox";

const ADA = "ada" as UserId;
const BEN = "ben" as UserId;

const message = (id: string, changes: Partial<OutboxMessage> = {}): OutboxMessage => ({
  thread: "t1" as ThreadId,
  id: id as MessageId,
  text: `Text of ${id}`,
  options: { model: "a" },
  problem: null,
  ...changes,
});

test("each thread and user has a draft of its own", () => {
  const storage = createStorage();
  const drafts = createDrafts(storage, ADA);
  drafts.save("t1", "Hello");
  expect(drafts.load("t1")).toBe("Hello");
  expect(drafts.load("t2")).toBe("");
  expect(createDrafts(storage, BEN).load("t1")).toBe("");
});

test("a blank text removes the draft", () => {
  const storage = createStorage();
  const drafts = createDrafts(storage, ADA);
  drafts.save("t1", "Hello");
  drafts.save("t1", " \n");
  expect(storage.length).toBe(0);
});

test("a full storage is no error", () => {
  const full = {
    ...createStorage(),
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  expect(() => createDrafts(full, ADA).save("t1", "Hello")).not.toThrow();
});

test("waiting messages keep their order, and a change keeps the place", () => {
  const outbox = createOutbox(createStorage(), ADA);
  outbox.put(message("1"));
  outbox.put(message("2"));
  const problem = { code: "x", title: "No", detail: "" };
  outbox.put(message("1", { problem }));
  expect(outbox.list()).toEqual([message("1", { problem }), message("2")]);
  outbox.remove("1" as MessageId);
  expect(outbox.list()).toEqual([message("2")]);
});

test("messages of temporary chats are not stored", () => {
  const storage = createStorage();
  createOutbox(storage, ADA).put(message("1", { options: { temporary: true } }));
  expect(storage.length).toBe(0);
});

test.each(["{", "null", "{}", '[null, {"id": "1"}]'])("the stored value %j is ignored", (value) => {
  const storage = createStorage();
  const outbox = createOutbox(storage, ADA);
  outbox.put(message("1"));
  storage.setItem(storage.key(0) ?? "", value);
  expect(outbox.list()).toEqual([]);
});

test("signing out removes what the user has not sent, and nothing else", () => {
  const storage = createStorage();
  createDrafts(storage, ADA).save("t1", "Hello");
  createDrafts(storage, ADA).save("t2", "Hello");
  createOutbox(storage, ADA).put(message("1"));
  createDrafts(storage, BEN).save("t1", "Hello");
  removeUnsent(storage, ADA);
  expect(storage.length).toBe(1);
});
