import { useState, type FormEvent } from "react";
import type { MemoryKind } from "../api/types";
import { PlusIcon } from "../ui/icons";
import { kindLabel } from "../ui/labels";

const KINDS: readonly MemoryKind[] = ["user", "procedural"];

type Props = {
  /** Resolves to true if the memory was added. */
  onAdd: (kind: MemoryKind, text: string) => Promise<boolean>;
};

export function AddMemory({ onAdd }: Props) {
  const [open, setOpen] = useState(false);
  const [kind, setKind] = useState<MemoryKind>("user");
  const [text, setText] = useState("");
  if (!open) {
    return (
      <button
        type="button"
        className="button button-ghost memories-add"
        onClick={() => setOpen(true)}
      >
        <PlusIcon />
        Add a memory
      </button>
    );
  }
  const close = () => {
    setOpen(false);
    setText("");
  };
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (await onAdd(kind, text.trim())) close();
  };
  return (
    <form className="memories-form" onSubmit={(event) => void add(event)}>
      <textarea
        className="field"
        aria-label="New memory"
        placeholder={kind === "user" ? "I am allergic to peanuts." : "Answer in short bullets."}
        rows={2}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
      />
      <div className="memory-actions">
        <select
          className="field field-small"
          aria-label="Kind of memory"
          value={kind}
          onChange={(event) => setKind(event.target.value as MemoryKind)}
        >
          {KINDS.map((value) => (
            <option key={value} value={value}>
              {kindLabel(value)}
            </option>
          ))}
        </select>
        <button type="button" className="button button-small" onClick={close}>
          Cancel
        </button>
        <button className="button button-small button-primary" disabled={text.trim() === ""}>
          Add
        </button>
      </div>
    </form>
  );
}
