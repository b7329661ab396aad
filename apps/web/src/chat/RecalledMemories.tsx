import type { RecalledMemory } from "../api/types";
import { BookmarkIcon, ChevronIcon } from "../ui/icons";
import { dateLabel, kindLabel } from "../ui/labels";
import { threadHash } from "../url";
import type { Recall } from "./chat";
import { groupByWhy, recallLabel } from "./recall";
import "./recall.css";

const DEGRADED = "Memory was not fully available for this answer.";

/** The memories used for an answer, and a warning if recall was degraded. */
export function RecalledMemories({ recall: { memories, omitted, degraded } }: { recall: Recall }) {
  if (memories.length === 0) return degraded ? <p className="recall-degraded">{DEGRADED}</p> : null;
  const groups = groupByWhy(memories);
  const { recalled, standing } = groups;
  return (
    <details className="recalled-memories" data-testid="recalled">
      <summary>
        <BookmarkIcon />
        {recallLabel(groups)}
        <ChevronIcon />
      </summary>
      {degraded && <p className="recall-degraded">{DEGRADED}</p>}
      <div className="recall-groups">
        {recalled.length === 0 ? (
          <MemoryList memories={standing} />
        ) : (
          <>
            <MemoryList memories={recalled} />
            {standing.length > 0 && <StandingMemories memories={standing} />}
          </>
        )}
        {omitted.length > 0 && <p className="recall-omitted">{omitted.length} more did not fit</p>}
      </div>
    </details>
  );
}

function StandingMemories({ memories }: { memories: readonly RecalledMemory[] }) {
  return (
    <details className="standing-memories" data-testid="standing">
      <summary>
        Always included
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
  const date = dateLabel(ts);
  return (
    <li>
      {text}
      <span className="recalled-memory-source">
        {kindLabel(kind)}
        {date !== "" && " · "}
        {source_thread ? (
          <a href={threadHash(source_thread)} title="Open the source thread">
            {date}
          </a>
        ) : (
          date
        )}
      </span>
    </li>
  );
}
