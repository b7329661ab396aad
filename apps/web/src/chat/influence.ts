/** Find the memory that shaped a passage of an answer, by the memory's words. */

import type { FindSources } from "../markdown/rehypeMarks";
import { splitSentences, type TextRange } from "../markdown/sentences";

type Source = { readonly text: string };
type Words = readonly string[];

/** Words that say nothing about what a memory is about. */
const COMMON = new Set(
  (
    "a about also am an and are as at be been but by can do does for from had has have he her his how i if in " +
    "into is it its just like me my no not of on or our she so some than that the their them then there these " +
    "they this to too up us user very was we were what when where which who will with would you your " +
    "aber als am an auch auf aus bei bin bist da das dass dein deine dem den der des die dir du ein eine einem " +
    "einen einer er es für hat hast ich ihm ihn ihr im in ist kann mein meine mich mir mit nach nicht noch nur " +
    "oder sein seine sich sie sind so über um und uns von war was wenn wer wie wir wird zu zum zur"
  ).split(" "),
);

const ENDINGS = /(?:'s|’s|ing|ed|es|en|er|st|s|e|t|n)$/;
const MIN_STEM = 3;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
const FENCED_CODE = /^(```|~~~).*?(^\1|$(?![^]))/gms;

/** The significant words of a text, without endings, in lower case. */
export function significantWords(text: string): Words {
  return [
    ...new Set(
      wordsOf(text)
        .filter((word) => !COMMON.has(word))
        .map(stem),
    ),
  ];
}

function wordsOf(text: string): Words {
  return text.toLowerCase().match(WORD) ?? [];
}

/**
 * Create a function that returns the passages that memories shaped, with the indexes of the memories.
 *
 * A passage is a sentence, or several of which a memory is the verbatim text. A memory shaped a
 * passage that contains its significant words: all of them if there are one or two, else all but
 * one. At least one of them must not come from the question.
 */
export function createSourceFinder(memories: readonly Source[], question: string): FindSources {
  const asked = new Set(significantWords(question));
  const quotable = memories.map(({ text }) => wordsOf(text));
  const candidates = memories.map(({ text }, index) => ({ index, words: significantWords(text) }));
  return (prose) =>
    splitPassages(prose, quotable).flatMap(({ start, end }) => {
      const said = new Set(significantWords(prose.slice(start, end)));
      const shaping = candidates.filter(({ words }) => matches(words, said, asked));
      return shaping.length === 0
        ? []
        : [{ start, end, sources: shaping.map(({ index }) => String(index)) }];
    });
}

/** The memories that shaped a passage of an answer; code is not examined. */
export function findQuoted<Memory extends Source>(
  memories: readonly Memory[],
  answer: string,
  findSources: FindSources,
): ReadonlySet<Memory> {
  const blocks = answer.replace(FENCED_CODE, "").split("\n");
  const ids = new Set(blocks.flatMap(findSources).flatMap(({ sources }) => sources));
  return new Set(memories.filter((_, index) => ids.has(String(index))));
}

/** The sentences of a text; those that the same quotation covers are one passage. */
function splitPassages(prose: string, quotable: readonly Words[]): readonly TextRange[] {
  const quotations = findQuotations(prose, quotable);
  const passages: TextRange[] = [];
  for (const sentence of splitSentences(prose)) {
    const last = passages.at(-1);
    const continues = ({ start, end }: TextRange) =>
      last !== undefined && start < last.end && end > sentence.start;
    if (last !== undefined && quotations.some(continues))
      passages[passages.length - 1] = { start: last.start, end: sentence.end };
    else passages.push(sentence);
  }
  return passages;
}

/** Where a text first contains others word by word, whatever the punctuation. */
function findQuotations(prose: string, quotable: readonly Words[]): readonly TextRange[] {
  const words = Array.from(prose.matchAll(WORD), ({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
  return quotable.flatMap((wanted) => {
    const first = words.findIndex((_, from) =>
      wanted.every((word, offset) => words[from + offset]?.word === word),
    );
    const [start, end] = [words[first], words[first + wanted.length - 1]];
    return start && end ? [{ start: start.start, end: end.end }] : [];
  });
}

function matches(words: Words, said: ReadonlySet<string>, asked: ReadonlySet<string>): boolean {
  if (words.length === 0) return false;
  const shared = words.filter((word) => said.has(word));
  const needed = words.length <= 2 ? words.length : Math.max(2, words.length - 1);
  return shared.length >= needed && shared.some((word) => !asked.has(word));
}

function stem(word: string): string {
  const stemmed = word.replace(ENDINGS, "");
  return stemmed.length >= MIN_STEM ? stemmed : word;
}
