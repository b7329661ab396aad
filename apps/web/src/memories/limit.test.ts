import { expect, test } from "vitest";
import type { FactLimit, MemoryId, MemoryVersion } from "../api/types";
import { en } from "../strings/en";
import { createFormat } from "../strings/format";
import { versionLabel } from "./history";
import { isLimitRelevant, limitMessage } from "./limit";

const EVICTED: MemoryVersion = {
  id: "m1" as MemoryId,
  kind: "user",
  text: "Likes jazz",
  category: "preference",
  confidence: 0.7,
  standing: false,
  pinned: false,
  until: null,
  reported_by: null,
  confirmed: 1,
  sources: [],
  quote: null,
  source_thread: "",
  source_message: null,
  last_seen: "2026-11-20T10:00:00Z",
  ts: "2026-11-20T10:00:00Z",
  version: "v1",
  retired_at: "",
  who: "formation",
  why: "evicted",
  by: null,
};
const LIMIT: FactLimit = { facts: 97, max_facts: 100, evicted: [] };

test("the number of facts is compared with the limit", () => {
  expect(limitMessage(en, LIMIT)).toBe("97 of at most 100 facts.");
  expect(limitMessage(en, { ...LIMIT, facts: 100 })).toBe("100 of at most 100 facts.");
});

test("the limit is shown near it, or after facts have moved to history", () => {
  expect(isLimitRelevant({ ...LIMIT, facts: 79 })).toBe(false);
  expect(isLimitRelevant({ ...LIMIT, facts: 80 })).toBe(true);
  expect(isLimitRelevant({ ...LIMIT, facts: 8, evicted: [EVICTED] })).toBe(true);
});

test("above the limit, the message says which facts move to history", () => {
  const message = limitMessage(en, { ...LIMIT, facts: 153 });
  expect(message).toContain("153 facts, and the limit is 100.");
  expect(message).toContain("move to history");
});

test("evicted facts are counted and have their reason", () => {
  expect(en.limit.moved(1, 100)).toBe("1 fact moved to history at the limit of 100");
  expect(en.limit.moved(2, 100)).toContain("2 facts");
  expect(versionLabel(en, createFormat("en"), EVICTED)).toBe(
    "moved to history at the limit of facts",
  );
});
