import { useCallback } from "react";
import type { Api } from "../api/client";
import type { Memory } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { Notice } from "../ui/Notice";
import { useQuery } from "../ui/useQuery";
import { HistoryLine } from "./HistoryLine";
import { canUndo, versionLabel } from "./history";

type Props = { api: Api; memory: Memory; onUndo: () => Promise<boolean>; onClose: () => void };

/** The earlier versions of a memory, newest first, with undo. */
export function MemoryHistory({ api, memory, onUndo, onClose }: Props) {
  const strings = useStrings();
  const format = useFormat();
  const load = useCallback(
    (signal: AbortSignal) => api.memories.history(memory.id, signal),
    [api, memory.id],
  );
  const { data: versions, problem } = useQuery(load, memory);
  return (
    <section
      className="memory-history"
      aria-label={strings.history.title}
      aria-busy={versions === null}
    >
      {versions !== null && <HistoryLine memory={memory} versions={versions} />}
      {problem && <Notice problem={problem} />}
      {versions?.length === 0 && <p className="memory-history-empty">{strings.history.none}</p>}
      {versions !== null && versions.length > 0 && (
        <ol className="memory-history-list" data-testid="history">
          {versions.map((version) => (
            <li key={version.version}>
              {version.text}
              <span className="memory-history-change">
                {versionLabel(strings, format, version)}
              </span>
            </li>
          ))}
        </ol>
      )}
      <div className="memory-actions">
        {versions !== null && canUndo(memory.id, versions) && (
          <button
            type="button"
            className="button button-small"
            title={strings.history.undoHint}
            onClick={() => void onUndo().finally(onClose)}
          >
            {strings.actions.undo}
          </button>
        )}
        <button type="button" className="button button-small" onClick={onClose}>
          {strings.actions.close}
        </button>
      </div>
    </section>
  );
}
