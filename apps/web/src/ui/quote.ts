/** The user's words that a memory comes from; null if its text already consists of them. */
export function differingQuote(text: string, quote: string | null): string | null {
  return quote !== null && !withoutEnd(text).startsWith(withoutEnd(quote)) ? quote : null;
}

function withoutEnd(text: string): string {
  return text.trim().replace(/[.!]+$/, "");
}
