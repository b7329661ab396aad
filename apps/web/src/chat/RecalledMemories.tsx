import { useState } from "react";
import type { RecalledMemory as Recalled } from "../api/types";
import { useStrings } from "../strings";
import { BookmarkIcon, ChevronIcon } from "../ui/icons";
import type { Recall } from "./messages";
import { groupByWhy, recallLabel } from "./recall";
import { RecalledMemory } from "./RecalledMemory";
import { useThread } from "./ThreadContext";
import { useRecalledDetails } from "./useRecalledDetails";
import "./recall.css";

type Props = {
  recall: Recall;
  /** The memory that a mark in the answer refers to. */
  highlighted: Recalled | null;
};

/** The memories used for an answer, and a warning if recall was degraded. */
export function RecalledMemories({ recall, highlighted }: Props) {
  const { recall: strings } = useStrings();
  const { forgotten } = useThread();
  const { omitted, degraded } = recall;
  const memories = recall.memories.filter(({ id }) => !forgotten.has(id));
  if (memories.length === 0)
    return degraded ? <p className="recall-degraded">{strings.degraded}</p> : null;
  return (
    <RecalledList
      // A mark opens the list.
      key={highlighted === null ? "" : `${highlighted.id} ${highlighted.text}`}
      memories={memories}
      omitted={omitted.length}
      degraded={degraded}
      highlighted={highlighted}
    />
  );
}

type ListProps = {
  memories: readonly Recalled[];
  omitted: number;
  degraded: boolean;
  highlighted: Recalled | null;
};

function RecalledList({ memories, omitted, degraded, highlighted }: ListProps) {
  const strings = useStrings();
  const [open, setOpen] = useState(highlighted !== null);
  const { recalled, standing } = groupByWhy(memories);
  const list = { open, highlighted };
  return (
    <details
      className="recalled-memories"
      data-testid="recalled"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <BookmarkIcon />
        {recallLabel(strings.recall, { recalled, standing })}
        <ChevronIcon />
      </summary>
      {degraded && <p className="recall-degraded">{strings.recall.degraded}</p>}
      <div className="recall-groups">
        {recalled.length === 0 ? (
          <MemoryList memories={standing} {...list} />
        ) : (
          <>
            <MemoryList memories={recalled} {...list} />
            {standing.length > 0 && <StandingMemories memories={standing} {...list} />}
          </>
        )}
        {omitted > 0 && <p className="recall-omitted">{strings.recall.omitted(omitted)}</p>}
      </div>
    </details>
  );
}

type GroupProps = {
  memories: readonly Recalled[];
  open: boolean;
  highlighted: Recalled | null;
};

function StandingMemories({ memories, open, highlighted }: GroupProps) {
  const { memories: strings } = useStrings();
  const [expanded, setExpanded] = useState(highlighted?.why === "standing");
  return (
    <details
      className="standing-memories"
      data-testid="standing"
      open={expanded}
      onToggle={(event) => setExpanded(event.currentTarget.open)}
    >
      <summary>
        {strings.always}
        <ChevronIcon />
      </summary>
      <MemoryList memories={memories} open={open && expanded} highlighted={highlighted} />
    </details>
  );
}

function MemoryList({ memories, open, highlighted }: GroupProps) {
  const { api, onMemoryChange } = useThread();
  const [shown] = useState(memories);
  const { details, reload } = useRecalledDetails(api, shown, open);
  const onChanged = () => {
    reload();
    onMemoryChange();
  };
  return (
    <ul>
      {memories.map((memory) => (
        <RecalledMemory
          // The sentences of a profile field share an id.
          key={`${memory.id} ${memory.text}`}
          recalled={memory}
          memory={details.get(memory.id) ?? null}
          highlighted={memory === highlighted}
          onChanged={onChanged}
        />
      ))}
    </ul>
  );
}
