import type { FactLimit, MemoryId } from "../api/types";
import { versionLabel } from "./history";
import { evictedMessage, limitMessage } from "./limit";

type Props = { limit: FactLimit | null; onUndo: (version: MemoryId) => Promise<boolean> };

/** How many facts there are and may be, and those that moved to history because of the limit; null until loaded. */
export function MemoryLimit({ limit, onUndo }: Props) {
  if (limit === null) return null;
  return (
    <section className="memory-limit" aria-label="Limit" data-testid="fact-limit">
      <p>{limitMessage(limit)}</p>
      {limit.evicted.length > 0 && (
        <details>
          <summary>{evictedMessage(limit)}</summary>
          <ol className="memory-history-list">
            {limit.evicted.map((fact) => (
              <li key={fact.version}>
                {fact.text}
                <span className="memory-history-change">{versionLabel(fact)}</span>
                <button
                  type="button"
                  className="button button-small"
                  aria-label={`Restore “${fact.text}”`}
                  onClick={() => void onUndo(fact.version as MemoryId)}
                >
                  Restore
                </button>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
