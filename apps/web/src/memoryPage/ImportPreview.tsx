import type { ImportResult } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { importSummary } from "./importSummary";

/** What a file would add, before it is imported. */
export function ImportPreview({ result }: { result: ImportResult }) {
  const strings = useStrings();
  const format = useFormat();
  const { preview = [], warning } = result;
  return (
    <section
      className="import-preview"
      aria-label={strings.importing.preview}
      data-testid="preview"
    >
      <ul className="import-summary">
        {importSummary(strings, result).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {warning && <p className="import-hint">{warning}</p>}
      {preview.length > 0 && (
        <ul className="import-entries" aria-label={strings.importing.entries} tabIndex={0}>
          {preview.map(({ kind, text, ts }, index) => (
            <li key={index}>
              <span dir="auto">{text}</span>
              <small>
                {kind === "inbox" ? strings.importing.message : strings.memories.kinds[kind]} ·{" "}
                {format.day(ts)}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
