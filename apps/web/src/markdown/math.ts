import { escapeCurrencyDollars, normalizeMathDelimiters } from "@assistant-ui/react-markdown";

/** Write all formulas as `$…$` or `$$…$$`, and escape the dollar signs of prices. */
export function normalizeMath(markdown: string): string {
  return escapeCurrencyDollars(normalizeMathDelimiters(markdown));
}
