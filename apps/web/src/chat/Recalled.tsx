import type { RecalledMemory } from "../api/types";
import { ChevronIcon, RibbonIcon } from "../ui/icons";
import { dayLabel, kindLabel } from "../ui/wording";
import { hashOf } from "../url";
import type { Recalled as RecalledMemories } from "./chat";

const DEGRADED = "Memory was not fully available for this answer.";

/** The memories that an answer was given, and whether memory did its whole work. */
export function Recalled({ recalled }: { recalled: RecalledMemories }) {
  const { memories, degraded } = recalled;
  if (memories.length === 0)
    return degraded ? <p className="recalled-degraded">{DEGRADED}</p> : null;
  return (
    <details className="recalled" data-testid="recalled">
      <summary>
        <RibbonIcon />
        {memories.length === 1 ? "1 memory used" : `${memories.length} memories used`}
        <ChevronIcon />
      </summary>
      {degraded && <p className="recalled-degraded">{DEGRADED}</p>}
      <ul>
        {memories.map((memory) => (
          <RecalledItem key={memory.id} memory={memory} />
        ))}
      </ul>
    </details>
  );
}

function RecalledItem({ memory }: { memory: RecalledMemory }) {
  const day = dayLabel(memory.ts);
  return (
    <li>
      {memory.text}
      <span className="recalled-source">
        {kindLabel(memory.kind)}
        {day !== "" && memory.source_thread && (
          <>
            {" · "}
            <a href={hashOf(memory.source_thread)} title="Open its thread">
              {day}
            </a>
          </>
        )}
      </span>
    </li>
  );
}
