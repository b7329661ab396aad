import { Link } from "wouter";
import type { RecalledMemory } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { BookmarkIcon, ChevronIcon } from "../ui/icons";
import { threadPath } from "../routes";
import type { Recall } from "./chat";
import { groupByWhy, recallLabel } from "./recall";
import "./recall.css";

/** The memories used for an answer, and a warning if recall was degraded. */
export function RecalledMemories({ recall: { memories, omitted, degraded } }: { recall: Recall }) {
  const { recall: strings } = useStrings();
  if (memories.length === 0)
    return degraded ? <p className="recall-degraded">{strings.degraded}</p> : null;
  const groups = groupByWhy(memories);
  const { recalled, standing } = groups;
  return (
    <details className="recalled-memories" data-testid="recalled">
      <summary>
        <BookmarkIcon />
        {recallLabel(strings, groups)}
        <ChevronIcon />
      </summary>
      {degraded && <p className="recall-degraded">{strings.degraded}</p>}
      <div className="recall-groups">
        {recalled.length === 0 ? (
          <MemoryList memories={standing} />
        ) : (
          <>
            <MemoryList memories={recalled} />
            {standing.length > 0 && <StandingMemories memories={standing} />}
          </>
        )}
        {omitted.length > 0 && <p className="recall-omitted">{strings.omitted(omitted.length)}</p>}
      </div>
    </details>
  );
}

function StandingMemories({ memories }: { memories: readonly RecalledMemory[] }) {
  const { memories: strings } = useStrings();
  return (
    <details className="standing-memories" data-testid="standing">
      <summary>
        {strings.always}
        <ChevronIcon />
      </summary>
      <MemoryList memories={memories} />
    </details>
  );
}

function MemoryList({ memories }: { memories: readonly RecalledMemory[] }) {
  return (
    <ul>
      {memories.map((memory) => (
        // The sentences of a profile field share an id.
        <MemoryListItem key={`${memory.id} ${memory.text}`} memory={memory} />
      ))}
    </ul>
  );
}

function MemoryListItem({ memory: { text, kind, ts, source_thread } }: { memory: RecalledMemory }) {
  const { memories: strings } = useStrings();
  const date = useFormat().day(ts);
  return (
    <li>
      {text}
      <span className="recalled-memory-source">
        {strings.kinds[kind]}
        {date !== "" && " · "}
        {source_thread ? (
          <Link href={threadPath(source_thread)} title={strings.openSource}>
            {date}
          </Link>
        ) : (
          date
        )}
      </span>
    </li>
  );
}
