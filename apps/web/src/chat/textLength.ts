/** Maximum length of a message in characters (Unicode code points), as in the gateway. */
export const MAX_CHARACTERS = 32_000;

/** The length of a text in characters; exact only if it is close to the limit. */
export function countCharacters(text: string): number {
  if (text.length < MAX_CHARACTERS / 2) return text.length;
  return [...text].length;
}
