import { useCallback } from "react";
import type { Api } from "../api/client";
import type { Memory } from "../api/types";
import { Notice } from "../ui/Notice";
import { useLoaded } from "../ui/useLoaded";
import { canUndo, versionLabel } from "./history";

type Props = { api: Api; memory: Memory; onUndo: () => Promise<void>; onClose: () => void };

/** What a memory was before, the latest first, and the way back. */
export function MemoryHistory({ api, memory, onUndo, onClose }: Props) {
  const load = useCallback(
    (signal: AbortSignal) => api.memories.history(memory.id, signal),
    [api, memory.id],
  );
  const { value: versions, problem } = useLoaded(load, memory);
  return (
    <section className="history" aria-label="History" aria-busy={versions === null}>
      {problem && <Notice problem={problem} />}
      {versions?.length === 0 && <p className="history-none">It has never been anything else.</p>}
      {versions !== null && versions.length > 0 && (
        <ol className="history-list" data-testid="history">
          {versions.map((version) => (
            <li key={version.version}>
              {version.text}
              <span className="history-how">{versionLabel(version)}</span>
            </li>
          ))}
        </ol>
      )}
      <div className="memory-choice">
        {versions !== null && canUndo(memory.id, versions) && (
          <button
            type="button"
            className="button button-small"
            title="Take back the last change"
            onClick={() => void onUndo().finally(onClose)}
          >
            Undo
          </button>
        )}
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  );
}
