import type { Formation } from "../api/types";
import { formationMessages } from "./formation";

type Props = { formation: Formation | null; saving: boolean; onSave: () => void };

export function FormationStatus({ formation, saving, onSave }: Props) {
  return (
    <div className="formation-status" data-testid="formation">
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
