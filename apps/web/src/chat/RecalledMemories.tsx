import { useMemo, useState } from "react";
import type { RecalledMemory as Recalled } from "../api/types";
import { useStrings } from "../strings";
import { BookmarkIcon, ChevronIcon } from "../ui/icons";
import { findQuoted } from "./influence";
import type { Recall } from "./messages";
import { groupByUse, recallLabel } from "./recall";
import { useRecall } from "./RecallContext";
import { RecalledMemory } from "./RecalledMemory";
import { useThread } from "./ThreadContext";
import { useRecalledDetails } from "./useRecalledDetails";
import "./recall.css";

const NONE: ReadonlySet<Recalled> = new Set();

type Props = {
  recall: Recall;
  /** The text of the answer. */
  answer: string;
  /** The memory that a mark in the answer refers to. */
  highlighted: Recalled | null;
};

/** The memories used for an answer, and a warning if recall was degraded. */
export function RecalledMemories({ recall, answer, highlighted }: Props) {
  const { recall: strings } = useStrings();
  const { forgotten } = useThread();
  const { findSources } = useRecall();
  const { omitted, degraded } = recall;
  const quoted = useMemo(
    () => (findSources ? findQuoted(recall.memories, answer, findSources) : NONE),
    [recall, answer, findSources],
  );
  const memories = recall.memories.filter(({ id }) => !forgotten.has(id));
  if (memories.length === 0)
    return degraded ? <p className="recall-degraded">{strings.degraded}</p> : null;
  return (
    <RecalledList
      // A mark opens the list.
      key={highlighted === null ? "" : `${highlighted.id} ${highlighted.text}`}
      memories={memories}
      quoted={quoted}
      omitted={omitted.length}
      degraded={degraded}
      highlighted={highlighted}
    />
  );
}

type ListProps = {
  memories: readonly Recalled[];
  quoted: ReadonlySet<Recalled>;
  omitted: number;
  degraded: boolean;
  highlighted: Recalled | null;
};

function RecalledList({ memories, quoted, omitted, degraded, highlighted }: ListProps) {
  const strings = useStrings();
  const [open, setOpen] = useState(highlighted !== null);
  const groups = groupByUse(memories, quoted);
  const { used, standing } = groups;
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
        {recallLabel(strings.recall, groups)}
        <ChevronIcon />
      </summary>
      {degraded && <p className="recall-degraded">{strings.recall.degraded}</p>}
      <div className="recall-groups">
        {used.length === 0 ? (
          <MemoryList memories={standing} {...list} />
        ) : (
          <>
            {/* Quotations are known when the answer is complete. */}
            <MemoryList key={quoted.size} memories={used} {...list} />
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
  const [expanded, setExpanded] = useState(false);
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
