import { expect, test } from "vitest";
import type { Memory } from "../api/types";
import { en } from "../strings/en";
import { suggestMessages } from "./suggestions";

const { welcome } = en.chat;
const NOW = new Date("2026-11-26T12:00");
const fact = (category: Memory["category"], quote: string | null, until: string | null = null) =>
  ({ category, quote, until, text: quote ?? "" }) as Memory;
const suggest = (...facts: Memory[]) => suggestMessages(welcome, facts, NOW);

test("without memories, examples are suggested", () => {
  expect(suggest()).toEqual([welcome.about, welcome.question, welcome.remembered]);
});

test("suggestions quote what the user said, one for each kind of question", () => {
  expect(
    suggest(
      fact("preference", "I prefer trains"),
      fact("project", "I write a field guide"),
      fact("project", "I build a boat"),
    ),
  ).toEqual([
    "What could be my next step? “I write a field guide”",
    "What would you recommend, knowing this? “I prefer trains”",
    welcome.remembered,
  ]);
});

test("memories without quotes, and long quotes, are not used", () => {
  const facts = [fact("project", null), fact("personal", "x".repeat(100))];
  expect(suggest(...facts)).toEqual([welcome.remembered]);
});

test.each(["2026-11-26", "2026-12-03"])("what holds until %s is of this week", (until) => {
  expect(
    suggest(fact("personal", "I live in Oslo"), fact("personal", "My exam is soon", until)),
  ).toEqual([
    "What should I keep in mind this week? “My exam is soon”",
    "What could you help me with here? “I live in Oslo”",
    welcome.remembered,
  ]);
});

test("what holds longer is not of this week, and what is past is not used", () => {
  expect(
    suggest(
      fact("project", "I was in Paris", "2026-11-25"),
      fact("personal", "I stay in Rome until May", "2026-12-04"),
    ),
  ).toEqual(["What could you help me with here? “I stay in Rome until May”", welcome.remembered]);
});

test("a death, an illness or a separation is never suggested", () => {
  expect(
    suggest(
      fact("personal", "My brother Ken passed away in August", "2026-11-30"),
      fact("project", "Meg and I broke up"),
      fact("personal", "I live in Oslo"),
    ),
  ).toEqual(["What could you help me with here? “I live in Oslo”", welcome.remembered]);
  const indirect = { ...fact("personal", "He left us in May"), text: "Brother died" };
  expect(suggest(indirect)).toEqual([welcome.remembered]);
});
