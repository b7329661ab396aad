/** Find the memory that shaped a sentence of an answer, by the memory's words. */

type Source = { readonly text: string };

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

/** The significant words of a text, without endings, in lower case. */
export function significantWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  return [...new Set(words.filter((word) => !COMMON.has(word)).map(stem))];
}

/**
 * Create a function that returns the indexes of the memories that shaped a sentence.
 *
 * A memory shaped a sentence that contains its significant words: all of them if there are one or
 * two, else all but one. At least one of them must not come from the question.
 */
export function createSourceFinder(memories: readonly Source[], question: string) {
  const asked = new Set(significantWords(question));
  const candidates = memories.map(({ text }, index) => ({ index, words: significantWords(text) }));
  return (sentence: string): readonly string[] => {
    const said = new Set(significantWords(sentence));
    return candidates
      .filter(({ words }) => matches(words, said, asked))
      .map(({ index }) => String(index));
  };
}

function matches(
  words: readonly string[],
  said: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): boolean {
  if (words.length === 0) return false;
  const shared = words.filter((word) => said.has(word));
  const needed = words.length <= 2 ? words.length : Math.max(2, words.length - 1);
  return shared.length >= needed && shared.some((word) => !asked.has(word));
}

function stem(word: string): string {
  const stemmed = word.replace(ENDINGS, "");
  return stemmed.length >= MIN_STEM ? stemmed : word;
}
