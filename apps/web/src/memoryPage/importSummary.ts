import type { ImportResult } from "../api/types";
import type { Strings } from "../strings";

/** What a file contains, one sentence per item: its format, what is new, known and left out. */
export function importSummary({ importing }: Strings, result: ImportResult): string[] {
  const { format, imported, messages = 0, unchanged, skipped = {} } = result;
  const reasons: Readonly<Record<string, (count: number) => string>> = importing.skipped;
  return [
    importing.format(importing.formats[format ?? "keepsake"]),
    importing.found(imported - messages, messages),
    ...(unchanged > 0 ? [importing.known(unchanged)] : []),
    ...Object.entries(skipped).map(([reason, count]) =>
      (reasons[reason] ?? importing.skipped.other)(count),
    ),
  ];
}
