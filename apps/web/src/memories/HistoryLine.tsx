import { useState } from "react";
import type { Memory, MemoryVersion } from "../api/types";
import { useFormat } from "../strings";
import { historyPoints } from "./historyPoints";

type Props = { memory: Memory; versions: readonly MemoryVersion[] };

/** When a memory was learned, changed and last confirmed, as points on a line up to now; the list below says the same. */
export function HistoryLine({ memory, versions }: Props) {
  const format = useFormat();
  const [now] = useState(Date.now);
  const points = historyPoints(memory, versions, now);
  return (
    <div className="history-line" aria-hidden="true">
      {points.map(({ ts, position, type }) => (
        <span
          key={`${type} ${ts}`}
          className="history-line-point"
          data-type={type}
          style={{ insetInlineStart: `${position * 100}%` }}
          title={format.day(ts)}
        />
      ))}
    </div>
  );
}
