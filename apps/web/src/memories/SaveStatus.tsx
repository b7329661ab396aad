import { lazy, Suspense, useState } from "react";
import type { Api } from "../api/client";
import type { FormationStatus } from "../api/types";
import { useStrings } from "../strings";
import { ChevronIcon } from "../ui/icons";
import { formationMessages, unsavedCount } from "./formation";
import "./saveStatus.css";

const PendingMessages = lazy(() => import("./PendingMessages"));

type Props = {
  api: Api;
  /** Changes when the pending messages may have changed. */
  version: string;
  formation: FormationStatus | null;
  saving: boolean;
  onSave: () => void;
  onNavigate: () => void;
  onChange: () => void;
};

/** How many messages are not yet saved to memory, with a list of them and a button to save them. */
export function SaveStatus({ formation, saving, onSave, ...props }: Props) {
  const strings = useStrings();
  const [open, setOpen] = useState(false);
  const text = formation && formationMessages(strings, formation).join(" ");
  const unsaved = formation !== null && unsavedCount(formation) > 0;
  return (
    <div className="save-status" data-testid="formation">
      {unsaved ? (
        <button
          type="button"
          className="save-status-toggle"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {text}
          <ChevronIcon />
        </button>
      ) : (
        <p>{text}</p>
      )}
      <button
        type="button"
        className="button button-small"
        disabled={saving}
        title={strings.saving.hint}
        onClick={onSave}
      >
        {saving ? strings.saving.saving : strings.saving.saveNow}
      </button>
      {unsaved && open && (
        <Suspense fallback={null}>
          <PendingMessages {...props} />
        </Suspense>
      )}
    </div>
  );
}
