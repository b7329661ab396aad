import { useState, type FormEvent, type KeyboardEvent } from "react";
import type { Memory } from "../api/types";
import { useStrings } from "../strings";
import { useToast } from "../ui/toast";
import { useThread } from "./ThreadContext";

type Props = { memory: Memory; onChanged: () => void; onClose: () => void };

/** A form that corrects a memory; the toast that confirms it can undo it. */
export function EditRecalled({ memory, onChanged, onClose }: Props) {
  const strings = useStrings();
  const { api, onUndo } = useThread();
  const showToast = useToast();
  const [text, setText] = useState(memory.text);
  const save = async () => {
    try {
      const { id } = await api.memories.edit(memory.id, text.trim());
      onChanged();
      showToast({ text: strings.recall.corrected, onUndo: () => onUndo(id).then(onChanged) });
    } catch {
      showToast({ text: strings.recall.notChanged });
    }
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
  };
  return (
    <form className="recalled-memory-edit" onSubmit={submit}>
      <textarea
        className="field"
        aria-label={strings.recall.correctText}
        rows={2}
        dir="auto"
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={closeOnEscape}
      />
      <div className="recalled-memory-buttons">
        <button type="button" className="button button-small" onClick={onClose}>
          {strings.actions.cancel}
        </button>
        <button
          className="button button-small button-primary"
          disabled={text.trim() === "" || text.trim() === memory.text}
        >
          {strings.actions.save}
        </button>
      </div>
    </form>
  );
}
