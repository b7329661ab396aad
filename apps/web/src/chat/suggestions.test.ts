import { expect, test } from "vitest";
import type { Memory } from "../api/types";
import { en } from "../strings/en";
import { suggestMessages } from "./suggestions";

const { welcome } = en.chat;
const fact = (category: Memory["category"], quote: string | null) =>
  ({ category, quote }) as Memory;

test("without memories, examples are suggested", () => {
  expect(suggestMessages(welcome, [])).toEqual([
    welcome.about,
    welcome.question,
    welcome.remembered,
  ]);
});

test("suggestions quote what the user said, one for each kind of question", () => {
  const facts = [
    fact("preference", "I prefer trains"),
    fact("project", "I write a field guide"),
    fact("project", "I build a boat"),
  ];
  expect(suggestMessages(welcome, facts)).toEqual([
    "What could be my next step? “I write a field guide”",
    "What would you recommend, knowing this? “I prefer trains”",
    welcome.remembered,
  ]);
});

test("memories without quotes, and long quotes, are not used", () => {
  const facts = [fact("project", null), fact("personal", "x".repeat(100))];
  expect(suggestMessages(welcome, facts)).toEqual([welcome.remembered]);
});
