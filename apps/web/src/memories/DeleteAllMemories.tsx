import { useState } from "react";
import { useStrings } from "../strings";
import { Dialog } from "../ui/Dialog";

export function DeleteAllMemories({ onDelete }: { onDelete: () => void }) {
  const { memories: strings } = useStrings();
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button button-ghost button-small memories-delete-all"
        onClick={() => setConfirming(true)}
      >
        {strings.deleteAll}
      </button>
      {confirming && <DeleteAllDialog onClose={() => setConfirming(false)} onDelete={onDelete} />}
    </>
  );
}

type Props = { onClose: () => void; onDelete: () => void };

/** Asks first, because deleting everything cannot be undone. */
export function DeleteAllDialog({ onClose, onDelete }: Props) {
  const { actions, memories: strings } = useStrings();
  return (
    <Dialog title={strings.deleteAllQuestion} onClose={onClose}>
      <p>{strings.deleteAllText}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {actions.cancel}
        </button>
        <button
          type="button"
          className="button button-danger"
          onClick={() => {
            onClose();
            onDelete();
          }}
        >
          {strings.deleteAllConfirm}
        </button>
      </div>
    </Dialog>
  );
}
