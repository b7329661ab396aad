/** Half-open range of character offsets. */
export type TextRange = { readonly start: number; readonly end: number };

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The sentences of a text, without the white space around them; empty ones are omitted. */
export function splitSentences(text: string): readonly TextRange[] {
  return Array.from(SEGMENTER.segment(text), ({ segment, index }) => {
    const start = index + segment.length - segment.trimStart().length;
    return { start, end: index + segment.trimEnd().length };
  }).filter(({ start, end }) => start < end);
}
