import { useCallback, useState } from "react";
import type { Api } from "../api/client";
import type { MemoryChange, MemoryChangeType } from "../api/types";
import { useFormat, useStrings, type Format, type Strings } from "../strings";
import { Notice } from "../ui/Notice";
import { SourceDate } from "../ui/SourceDate";
import { useQuery } from "../ui/useQuery";
import { groupByWeek, type Week } from "./timelineWeeks";

const PAGE_SIZE = 50;

/** What was learned, changed and forgotten, by week. */
export default function Timeline({ api, version }: { api: Api; version: string }) {
  const { memories, memoryPage: strings } = useStrings();
  const format = useFormat();
  const [pages, setPages] = useState(1);
  const load = useCallback(
    (signal: AbortSignal) => api.memories.timeline(pages * PAGE_SIZE, signal),
    [api, pages],
  );
  const { data, problem } = useQuery(load, version);
  return (
    <div className="timeline" aria-busy={data === null} data-testid="timeline">
      {problem && <Notice problem={problem} />}
      {data?.items.length === 0 && <p className="memories-empty">{strings.timelineEmpty}</p>}
      {groupByWeek(data?.items ?? [], new Date()).map((week) => (
        <section key={week.start.getTime()} aria-label={weekLabel(strings, format, week)}>
          <h2 className="memory-section-title">{weekLabel(strings, format, week)}</h2>
          <ol className="timeline-list">
            {week.changes.map((change) => (
              <TimelineItem key={change.id} change={change} />
            ))}
          </ol>
        </section>
      ))}
      {data !== null && data.next_cursor !== null && (
        <button type="button" className="button button-ghost" onClick={() => setPages(pages + 1)}>
          {memories.showMore}
        </button>
      )}
    </div>
  );
}

function TimelineItem({ change }: { change: MemoryChange }) {
  const { memoryPage: strings } = useStrings();
  const { memory, replaced, thread, ts } = change;
  const type = change.type.replace("memory.", "") as MemoryChangeType;
  return (
    <li className="timeline-item" data-type={type}>
      <p className="timeline-text" dir="auto">
        {replaced?.text && replaced.text !== memory?.text && (
          <>
            <del>{replaced.text}</del>{" "}
          </>
        )}
        {memory === null ? strings.allForgotten : (memory.text ?? strings.permanentlyForgotten)}
      </p>
      <p className="timeline-source">
        {strings.changes[type]} · <SourceDate thread={thread} ts={ts} />
      </p>
    </li>
  );
}

function weekLabel(strings: Strings["memoryPage"], format: Format, { ago, start }: Week): string {
  if (ago <= 0) return strings.thisWeek;
  return ago === 1 ? strings.lastWeek : strings.weekOf(format.date(start.toISOString()));
}
