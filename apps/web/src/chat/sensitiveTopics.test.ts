import { expect, test } from "vitest";
import { isSensitive } from "./sensitiveTopics";

test.each([
  "My brother Ken passed away in August",
  "My grandma died",
  "I'm a widow",
  "We lost my father last year",
  "My mum has breast cancer",
  "I was diagnosed with MS",
  "My dad is in hospital",
  "My wife and I are divorced",
  "Meg and I broke up",
  "Mein Vater ist gestorben",
  "Meine Oma ist krank",
  "Ich bin Witwer",
  "Meine Mutter hat Brustkrebs",
  "Wir haben uns getrennt",
])("%j is sensitive", (text) => {
  expect(isSensitive(text)).toBe(true);
});

test.each([
  "I live in Oslo",
  "I diet since May",
  "My still life class is on Monday",
  "I study illustration",
  "Ich mag die Berge",
  "Ich wohne im Totenbachweg",
  "I play in a string quartet",
])("%j is not sensitive", (text) => {
  expect(isSensitive(text)).toBe(false);
});
