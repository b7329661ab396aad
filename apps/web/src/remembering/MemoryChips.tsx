import { useState } from "react";
import type { MemoryId, MessageId, PendingMessage } from "../api/types";
import { useStrings, type Strings } from "../strings";
import { BookmarkIcon } from "../ui/icons";
import { useToast } from "../ui/toast";
import type { Chip } from "./chips";
import { PendingChip } from "./PendingChip";
import "./remembering.css";

type Props = {
  chips: readonly Chip[];
  /** Null if the message is saved. */
  pending: PendingMessage | null;
  onUndo: (memory: MemoryId) => Promise<unknown>;
  onWithdraw: (message: MessageId) => Promise<void>;
};

/** What a message has changed in memory, each with an undo button, and whether it is still to be saved. */
export function MemoryChips({ chips, pending, onUndo, onWithdraw }: Props) {
  const { remembering: strings } = useStrings();
  if (chips.length === 0 && pending === null) return null;
  return (
    <ul className="memory-chips" aria-label={strings.label} data-testid="chips">
      {chips.map((chip) => (
        <MemoryChip key={`${chip.memory} ${chip.text}`} chip={chip} onUndo={onUndo} />
      ))}
      {pending && <PendingChip message={pending} onWithdraw={() => onWithdraw(pending.message)} />}
    </ul>
  );
}

type ChipProps = { chip: Chip; onUndo: Props["onUndo"] };

function MemoryChip({ chip, onUndo }: ChipProps) {
  const strings = useStrings();
  const showToast = useToast();
  const [state, setState] = useState<"ready" | "undoing" | "undone">("ready");
  const undo = () => {
    setState("undoing");
    onUndo(chip.memory).then(
      () => setState("undone"),
      () => {
        setState("ready");
        showToast({ text: strings.remembering.undoFailed });
      },
    );
  };
  if (state === "undone") return null;
  const label = chipLabel(strings.remembering, chip);
  return (
    <li className="memory-chip" data-type={chip.type} data-outdated={!chip.undoable || undefined}>
      <BookmarkIcon />
      <span className="memory-chip-text" dir="auto">
        {label}
      </span>
      {chip.undoable && (
        <button
          type="button"
          className="memory-chip-action"
          aria-label={`${strings.actions.undo}: ${label}`}
          disabled={state === "undoing"}
          onClick={undo}
        >
          {strings.actions.undo}
        </button>
      )}
    </li>
  );
}

function chipLabel(strings: Strings["remembering"], { type, text, from }: Chip): string {
  if (type === "changed" && from !== null) return strings.changed(from, text);
  return type === "forgotten" ? strings.forgotten(text) : strings.remembered(text);
}
