import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Memory, RecalledMemory as Recalled } from "../api/types";
import { useStrings } from "../strings";
import { MoreIcon } from "../ui/icons";
import { Menu, MenuItem } from "../ui/Menu";
import { differingQuote } from "../ui/quote";
import { SourceDate } from "../ui/SourceDate";
import { useToast } from "../ui/toast";
import { EditRecalled } from "./EditRecalled";
import { MemoryVerdicts } from "./MemoryVerdicts";
import { useThread } from "./ThreadContext";

type Props = {
  recalled: Recalled;
  /** Null: not loaded, or not a memory that can be changed. */
  memory: Memory | null;
  highlighted: boolean;
  onChanged: () => void;
};

/** A memory of an answer, with its quote, its source and what can be done about it. */
export function RecalledMemory({ recalled, memory, highlighted, onChanged }: Props) {
  const [editing, setEditing] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const quote = memory && differingQuote(memory.text, memory.quote);
  useEffect(() => {
    if (highlighted) item.current?.scrollIntoView({ block: "nearest" });
  }, [highlighted]);
  if (editing && memory !== null) {
    return (
      <li>
        <EditRecalled memory={memory} onChanged={onChanged} onClose={() => setEditing(false)} />
      </li>
    );
  }
  return (
    <li ref={item} className="recalled-memory" data-highlighted={highlighted || undefined}>
      <div className="recalled-memory-body">
        <span dir="auto">{memory?.text ?? recalled.text}</span>
        {quote !== null && (
          <blockquote className="recalled-memory-quote" dir="auto">
            “{quote}”
          </blockquote>
        )}
        <Source recalled={recalled}>
          {memory && <MemoryVerdicts memory={memory} standing={recalled.why === "standing"} />}
        </Source>
      </div>
      {memory && <Actions memory={memory} onEdit={() => setEditing(true)} onChanged={onChanged} />}
    </li>
  );
}

type SourceProps = { recalled: Recalled; children: ReactNode };

function Source({ recalled, children }: SourceProps) {
  const { memories: strings } = useStrings();
  const { kind, ts, source_thread, reported_by } = recalled;
  return (
    <span className="recalled-memory-source">
      <span>
        {strings.kinds[kind]}
        {ts !== "" && " · "}
        <SourceDate thread={source_thread} ts={ts} />
        {reported_by && ` · ${strings.reportedBy(reported_by)}`}
      </span>
      {children}
    </span>
  );
}

type ActionsProps = { memory: Memory; onEdit: () => void; onChanged: () => void };

function Actions({ memory, onEdit, onChanged }: ActionsProps) {
  const strings = useStrings();
  const { api, onForget } = useThread();
  const showToast = useToast();
  const setPinned = () =>
    api.memories
      .setPinned(memory.id, !memory.pinned)
      .then(onChanged, () => showToast({ text: strings.recall.notChanged }));
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="button-icon"
          aria-label={strings.recall.actions(memory.text)}
        >
          <MoreIcon />
        </button>
      }
    >
      <MenuItem onSelect={onEdit}>{strings.recall.correct}</MenuItem>
      <MenuItem onSelect={() => void setPinned()}>
        {memory.pinned ? strings.recall.unpin : strings.recall.pin}
      </MenuItem>
      <MenuItem danger onSelect={() => onForget(memory.id, memory.text)}>
        {strings.recall.forget}
      </MenuItem>
    </Menu>
  );
}
