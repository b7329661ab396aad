import { expect, test } from "vitest";
import { summarizeReceipt } from "./receipt";

test("the receipt names what users know and adds up the rest", () => {
  const deleted = { messages: 4, store: 3, store_vectors: 3, users: 1, threads: 2 };
  expect(summarizeReceipt(deleted)).toEqual([
    { name: "messages", count: 4 },
    { name: "threads", count: 2 },
    { name: "store", count: 3 },
    { name: "other", count: 4 },
  ]);
});
