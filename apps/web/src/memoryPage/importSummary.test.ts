import { expect, test } from "vitest";
import { en } from "../strings/en";
import { importSummary } from "./importSummary";

test("an export of another application is described with what is left out", () => {
  const skipped = { no_statement: 120, credentials: 1, something_new: 2 };
  const result = { format: "chatgpt", imported: 40, messages: 38, unchanged: 2, skipped } as const;
  expect(importSummary(en, result)).toEqual([
    "Recognised: ChatGPT",
    "2 memories and 38 messages are new.",
    "2 are already known.",
    "120 messages say nothing about you.",
    "1 contains credentials and is left out.",
    "2 are left out.",
  ]);
});

test("a file of Keepsake has memories only", () => {
  expect(importSummary(en, { imported: 1, unchanged: 0 })).toEqual([
    "Recognised: Keepsake",
    "1 memory is new.",
  ]);
});
