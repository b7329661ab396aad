import { useState } from "react";
import type { Api } from "../api/client";
import type { Memory } from "../api/types";
import { BinIcon, ClockIcon, PencilIcon } from "../ui/icons";
import { dayLabel, kindLabel } from "../ui/wording";
import { hashOf } from "../url";
import { MemoryHistory } from "./MemoryHistory";

type Props = {
  api: Api;
  memory: Memory;
  onVisit: () => void;
  onEdit: (text: string) => Promise<void>;
  onDelete: () => Promise<void>;
  onUndo: () => Promise<void>;
};

export function MemoryItem({ api, memory, onVisit, onEdit, onDelete, onUndo }: Props) {
  const [mode, setMode] = useState<"read" | "edit" | "delete" | "history">("read");
  const read = () => setMode("read");
  const save = async (text: string) => {
    if (text !== memory.text) await onEdit(text);
    read();
  };
  return (
    <li className="memory" data-testid="memory">
      {mode === "edit" ? (
        <EditMemory text={memory.text} onSave={save} onCancel={read} />
      ) : (
        <p className="memory-text">{memory.text}</p>
      )}
      {memory.quote && <blockquote className="memory-quote">“{memory.quote}”</blockquote>}
      {mode === "delete" && <ConfirmDelete onDelete={onDelete} onCancel={read} />}
      {mode === "history" && (
        <MemoryHistory api={api} memory={memory} onUndo={onUndo} onClose={read} />
      )}
      {mode === "read" && (
        <div className="memory-foot">
          <Source memory={memory} onVisit={onVisit} />
          <button
            type="button"
            className="button-icon"
            aria-label={`History of “${memory.text}”`}
            onClick={() => setMode("history")}
          >
            <ClockIcon />
          </button>
          <button
            type="button"
            className="button-icon"
            aria-label={`Edit “${memory.text}”`}
            onClick={() => setMode("edit")}
          >
            <PencilIcon />
          </button>
          <button
            type="button"
            className="button-icon"
            aria-label={`Delete “${memory.text}”`}
            onClick={() => setMode("delete")}
          >
            <BinIcon />
          </button>
        </div>
      )}
    </li>
  );
}

function Source({ memory, onVisit }: { memory: Memory; onVisit: () => void }) {
  const day = dayLabel(memory.ts);
  return (
    <p className="memory-source">
      {kindLabel(memory.kind)} ·{" "}
      {memory.source_thread ? (
        <a href={hashOf(memory.source_thread)} title="Open its thread" onClick={onVisit}>
          {day}
        </a>
      ) : (
        day
      )}
    </p>
  );
}

type EditProps = { text: string; onSave: (text: string) => Promise<void>; onCancel: () => void };

function EditMemory({ text, onSave, onCancel }: EditProps) {
  const [draft, setDraft] = useState(text);
  const save = () => void onSave(draft.trim());
  return (
    <form
      className="memory-edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        className="field"
        aria-label="Text of the memory"
        rows={3}
        value={draft}
        autoFocus
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          onCancel();
        }}
      />
      <div className="memory-choice">
        <button type="button" className="button button-small" onClick={onCancel}>
          Cancel
        </button>
        <button className="button button-small button-main" disabled={draft.trim() === ""}>
          Save
        </button>
      </div>
    </form>
  );
}

function ConfirmDelete(props: { onDelete: () => Promise<void>; onCancel: () => void }) {
  const { onDelete, onCancel } = props;
  return (
    <div className="memory-choice" role="group" aria-label="Forget this for good?">
      <span className="memory-ask">Forget this for good?</span>
      <button type="button" className="button button-small" autoFocus onClick={onCancel}>
        Keep
      </button>
      <button
        type="button"
        className="button button-small button-danger"
        onClick={() => void onDelete().finally(onCancel)}
      >
        Forget
      </button>
    </div>
  );
}
