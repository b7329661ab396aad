import { useState } from "react";
import type { Api } from "../api/client";
import type { Memory } from "../api/types";
import { ClockIcon, PencilIcon, PinIcon, TrashIcon } from "../ui/icons";
import { dateLabel, kindLabel } from "../ui/labels";
import { threadHash } from "../url";
import { isAlwaysIncluded } from "./memories";
import { MemoryHistory } from "./MemoryHistory";

type Props = {
  api: Api;
  memory: Memory;
  onNavigate: () => void;
  onPin: (pinned: boolean) => void;
  /** These resolve to true if the action succeeded. */
  onEdit: (text: string) => Promise<boolean>;
  onDelete: () => Promise<boolean>;
  onUndo: () => Promise<boolean>;
};

export function MemoryItem({ api, memory, onNavigate, onPin, onEdit, onDelete, onUndo }: Props) {
  const [mode, setMode] = useState<"view" | "edit" | "delete" | "history">("view");
  const showView = () => setMode("view");
  const save = async (text: string) => {
    if (text === memory.text || (await onEdit(text))) showView();
  };
  return (
    <li className="memory" data-testid="memory">
      {mode === "edit" ? (
        <EditMemory text={memory.text} onSave={save} onCancel={showView} />
      ) : (
        <p className="memory-text">{memory.text}</p>
      )}
      {memory.quote && <blockquote className="memory-quote">“{memory.quote}”</blockquote>}
      {mode === "delete" && <ConfirmDelete onDelete={onDelete} onCancel={showView} />}
      {mode === "history" && (
        <MemoryHistory api={api} memory={memory} onUndo={onUndo} onClose={showView} />
      )}
      {mode === "view" && (
        <div className="memory-footer">
          <Source memory={memory} onNavigate={onNavigate} />
          <button
            type="button"
            className="button-icon"
            aria-label={`${memory.pinned ? "Unpin" : "Pin"} “${memory.text}”`}
            aria-pressed={memory.pinned}
            title="Always include"
            onClick={() => onPin(!memory.pinned)}
          >
            <PinIcon />
          </button>
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
            <TrashIcon />
          </button>
        </div>
      )}
    </li>
  );
}

function Source({ memory, onNavigate }: { memory: Memory; onNavigate: () => void }) {
  const date = dateLabel(memory.ts);
  return (
    <p className="memory-source">
      {kindLabel(memory.kind)} ·{" "}
      {memory.source_thread ? (
        <a
          href={threadHash(memory.source_thread)}
          title="Open the source thread"
          onClick={onNavigate}
        >
          {date}
        </a>
      ) : (
        date
      )}
      {isAlwaysIncluded(memory) && <span className="memory-standing">Always included</span>}
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
        aria-label="Memory text"
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
      <div className="memory-actions">
        <button type="button" className="button button-small" onClick={onCancel}>
          Cancel
        </button>
        <button className="button button-small button-primary" disabled={draft.trim() === ""}>
          Save
        </button>
      </div>
    </form>
  );
}

type ConfirmProps = { onDelete: () => Promise<boolean>; onCancel: () => void };

function ConfirmDelete({ onDelete, onCancel }: ConfirmProps) {
  return (
    <div className="memory-actions" role="group" aria-label="Delete permanently?">
      <span className="memory-confirm">Delete permanently?</span>
      <button type="button" className="button button-small" autoFocus onClick={onCancel}>
        Cancel
      </button>
      <button
        type="button"
        className="button button-small button-danger"
        onClick={() => void onDelete().finally(onCancel)}
      >
        Delete
      </button>
    </div>
  );
}
