import type { RecalledMemory } from "../api/types";
import { BookmarkIcon, ChevronIcon } from "../ui/icons";
import { dateLabel, kindLabel } from "../ui/labels";
import { threadHash } from "../url";
import type { Recall } from "./chat";

const DEGRADED = "Memory was not fully available for this answer.";

/** The memories used for an answer, and a warning if recall was degraded. */
export function RecalledMemories({ recall: { memories, degraded } }: { recall: Recall }) {
  if (memories.length === 0) return degraded ? <p className="recall-degraded">{DEGRADED}</p> : null;
  return (
    <details className="recalled-memories" data-testid="recalled">
      <summary>
        <BookmarkIcon />
        {memories.length === 1 ? "1 memory used" : `${memories.length} memories used`}
        <ChevronIcon />
      </summary>
      {degraded && <p className="recall-degraded">{DEGRADED}</p>}
      <ul>
        {memories.map((memory) => (
          <RecalledItem key={memory.id} memory={memory} />
        ))}
      </ul>
    </details>
  );
}

function RecalledItem({ memory }: { memory: RecalledMemory }) {
  const date = dateLabel(memory.ts);
  return (
    <li>
      {memory.text}
      <span className="recalled-memory-source">
        {kindLabel(memory.kind)}
        {date !== "" && memory.source_thread && (
          <>
            {" · "}
            <a href={threadHash(memory.source_thread)} title="Open the source thread">
              {date}
            </a>
          </>
        )}
      </span>
    </li>
  );
}
