import type { FormationStatus } from "../api/types";
import { formationMessages } from "./formation";

type Props = { formation: FormationStatus | null; saving: boolean; onSave: () => void };

/** How many messages are not yet saved to memory, with a button to save them. */
export function SaveStatus({ formation, saving, onSave }: Props) {
  return (
    <div className="save-status" data-testid="formation">
      <p>{formation && formationMessages(formation).join(" ")}</p>
      <button
        type="button"
        className="button button-small"
        disabled={saving}
        title="Save recent messages to memory now"
        onClick={onSave}
      >
        {saving ? "Saving…" : "Save now"}
      </button>
    </div>
  );
}
