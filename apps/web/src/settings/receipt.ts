const NAMES = ["messages", "threads", "store"] as const;

export type ReceiptRow = {
  readonly name: (typeof NAMES)[number] | "other";
  readonly count: number;
};

/** Summarise the numbers of deleted rows by database table; the tables that users do not know are added up. */
export function summarizeReceipt(deleted: Readonly<Record<string, number>>): readonly ReceiptRow[] {
  const known = NAMES.map((name) => ({ name, count: deleted[name] ?? 0 }));
  const other = Object.entries(deleted)
    .filter(([table]) => !NAMES.some((name) => name === table))
    .reduce((sum, [, count]) => sum + count, 0);
  return [...known, { name: "other", count: other }];
}
