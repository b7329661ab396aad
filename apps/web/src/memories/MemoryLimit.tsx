import type { FactLimit, MemoryId } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { versionLabel } from "./history";
import { isLimitRelevant, limitMessage } from "./limit";

type Props = { limit: FactLimit | null; onUndo: (version: MemoryId) => Promise<boolean> };

/** How many facts there are and may be, and those that moved to history because of the limit; null until loaded. Shown if it matters. */
export function MemoryLimit({ limit, onUndo }: Props) {
  const strings = useStrings();
  const format = useFormat();
  if (limit === null || !isLimitRelevant(limit)) return null;
  return (
    <section className="memory-limit" aria-label={strings.limit.title} data-testid="fact-limit">
      <p>{limitMessage(strings, limit)}</p>
      {limit.evicted.length > 0 && (
        <details>
          <summary>{strings.limit.moved(limit.evicted.length, limit.max_facts)}</summary>
          <ol className="memory-history-list">
            {limit.evicted.map((fact) => (
              <li key={fact.version}>
                {fact.text}
                <span className="memory-history-change">{versionLabel(strings, format, fact)}</span>
                <button
                  type="button"
                  className="button button-small"
                  aria-label={strings.limit.restoreText(fact.text)}
                  onClick={() => void onUndo(fact.version as MemoryId)}
                >
                  {strings.limit.restore}
                </button>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
