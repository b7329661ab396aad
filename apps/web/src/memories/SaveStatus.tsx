import type { FormationStatus } from "../api/types";
import { useStrings } from "../strings";
import { formationMessages } from "./formation";

type Props = { formation: FormationStatus | null; saving: boolean; onSave: () => void };

/** How many messages are not yet saved to memory, with a button to save them. */
export function SaveStatus({ formation, saving, onSave }: Props) {
  const strings = useStrings();
  return (
    <div className="save-status" data-testid="formation">
      <p>{formation && formationMessages(strings, formation).join(" ")}</p>
      <button
        type="button"
        className="button button-small"
        disabled={saving}
        title={strings.saving.hint}
        onClick={onSave}
      >
        {saving ? strings.saving.saving : strings.saving.saveNow}
      </button>
    </div>
  );
}
