import { useState, type FormEvent } from "react";
import type { MemoryKind } from "../api/types";
import { useStrings } from "../strings";
import { PlusIcon } from "../ui/icons";

const KINDS = ["user", "procedural"] as const;
type AddedKind = (typeof KINDS)[number];

type Props = {
  /** Resolves to true if the memory was added. */
  onAdd: (kind: MemoryKind, text: string) => Promise<boolean>;
};

export function AddMemory({ onAdd }: Props) {
  const { actions, memories: strings } = useStrings();
  const [open, setOpen] = useState(false);
  const [kind, setKind] = useState<AddedKind>("user");
  const [text, setText] = useState("");
  if (!open) {
    return (
      <button
        type="button"
        className="button button-ghost memories-add"
        onClick={() => setOpen(true)}
      >
        <PlusIcon />
        {strings.addMemory}
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
        aria-label={strings.newMemory}
        placeholder={strings.examples[kind]}
        rows={2}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
      />
      <div className="memory-actions">
        <select
          className="field field-small"
          aria-label={strings.kind}
          value={kind}
          onChange={(event) => setKind(event.target.value as AddedKind)}
        >
          {KINDS.map((value) => (
            <option key={value} value={value}>
              {strings.kinds[value]}
            </option>
          ))}
        </select>
        <button type="button" className="button button-small" onClick={close}>
          {actions.cancel}
        </button>
        <button className="button button-small button-primary" disabled={text.trim() === ""}>
          {actions.add}
        </button>
      </div>
    </form>
  );
}
