import { expect, test } from "vitest";
import { createSourceFinder } from "./influence";

const MEMORIES = [
  { text: "Lives in Oslo" },
  { text: "Is allergic to peanuts" },
  { text: "Their nickname is RS" },
  { text: "Plays the violin in a string quartet" },
  { text: "Wohnt in München" },
];
const sourcesOf = (sentence: string, question = "Tell me something.") =>
  createSourceFinder(MEMORIES, question)(sentence).map((index) => MEMORIES[Number(index)]?.text);

test.each([
  ["You live in Oslo.", "Lives in Oslo"],
  ["As you are allergic to peanuts, skip the satay.", "Is allergic to peanuts"],
  ["Your nickname is RS!", "Their nickname is RS"],
  [
    "Since you play violin in a quartet, try the string section.",
    "Plays the violin in a string quartet",
  ],
  ["Du wohnst in München.", "Wohnt in München"],
])("%j was shaped by %j", (sentence, memory) => {
  expect(sourcesOf(sentence)).toEqual([memory]);
});

test.each([
  "Oslo is the capital of Norway.",
  "Peanuts are legumes.",
  "Where do you live?",
  "I hope that this helps.",
  "",
])("%j was shaped by no memory", (sentence) => {
  expect(sourcesOf(sentence)).toEqual([]);
});

test("a sentence that only repeats the question was shaped by no memory", () => {
  expect(sourcesOf("You asked who lives in Oslo.", "Who lives in Oslo?")).toEqual([]);
  expect(sourcesOf("You live in Oslo.", "Where do I live?")).toEqual(["Lives in Oslo"]);
});

test("a memory without significant words shapes nothing", () => {
  expect(createSourceFinder([{ text: "It is so" }], "")("It is so.")).toEqual([]);
});
