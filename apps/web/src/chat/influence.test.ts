import { expect, test } from "vitest";
import { createSourceFinder, findQuoted } from "./influence";

const MEMORIES = [
  { text: "Lives in Oslo" },
  { text: "Is allergic to peanuts" },
  { text: "Their nickname is RS" },
  { text: "Plays the violin in a string quartet" },
  { text: "Wohnt in München" },
];
const sourcesOf = (sentence: string, question = "Tell me something.") =>
  createSourceFinder(
    MEMORIES,
    question,
  )(sentence).flatMap(({ sources }) => sources.map((index) => MEMORIES[Number(index)]?.text));

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

test.each([
  "My dentist appointment is at 9 a.m. → Sorry, I meant Thursday.",
  "I don't drink. At all! … Because my dad drank.",
  "Which city do I live in? → Bergen.",
])("a quoted memory of several sentences is one passage: %s", (text) => {
  const finder = createSourceFinder([{ text: "Has a cat" }, { text }], "What do you know?");
  const quoted = text.replace(/\.$/, "");
  expect(finder(quoted)).toEqual([{ start: 0, end: quoted.length, sources: ["1"] }]);
  const start = "Yes. ".length;
  expect(finder(`Yes. ${text} And you?`)).toEqual([
    { start, end: start + text.length, sources: ["1"] },
  ]);
});

test("the memories that an answer quotes are found in all of its lines, but not in code", () => {
  const answer =
    "You told me:\n- Lives in **Oslo**\n- Wohnt in München\n\n```\nnickname RS\n```\nBye.";
  const quoted = findQuoted(MEMORIES, answer, createSourceFinder(MEMORIES, ""));
  expect([...quoted]).toEqual([MEMORIES[0], MEMORIES[4]]);
});
