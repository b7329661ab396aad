const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MATH_FENCE = /^ {0,3}\$\$/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

/**
 * Split Markdown into blocks that can be parsed separately, so that only the last one is parsed
 * again while an answer grows.
 *
 * A block ends at a blank line before a line that is not indented and not a list item: the next
 * line cannot continue a list, a quote or a paragraph. Link and footnote definitions apply to the
 * whole text, which is then one block. Joining the blocks with "\n" gives the text.
 */
export function splitBlocks(markdown: string): readonly string[] {
  if (DEFINITION.test(markdown)) return [markdown];
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: Fence | null = null;
  for (const line of markdown.split("\n")) {
    if (fence === null && lines.at(-1)?.trim() === "" && startsBlock(line) && !isBlank(lines)) {
      blocks.push(lines.join("\n"));
      lines = [];
    }
    fence = nextFence(fence, line);
    lines.push(line);
  }
  return [...blocks, lines.join("\n")];
}

/** The characters that open a code or math block; the same or more of them close it. */
type Fence = string;

function startsBlock(line: string): boolean {
  return /^\S/.test(line) && !LIST_ITEM.test(line);
}

function isBlank(lines: readonly string[]): boolean {
  return lines.every((line) => line.trim() === "");
}

function nextFence(fence: Fence | null, line: string): Fence | null {
  if (fence === null) return FENCE.exec(line)?.[1] ?? (opensMath(line) ? "$$" : null);
  const end = line.trim();
  const closes = fence === "$$" ? end.endsWith("$$") : isRun(end, fence);
  return closes ? null : fence;
}

function opensMath(line: string): boolean {
  return MATH_FENCE.test(line) && !line.trim().slice(2).includes("$$");
}

function isRun(text: string, fence: Fence): boolean {
  return text.length >= fence.length && text === fence.charAt(0).repeat(text.length);
}
