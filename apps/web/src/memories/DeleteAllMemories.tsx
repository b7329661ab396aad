import { useState } from "react";
import { useStrings } from "../strings";
import { Dialog } from "../ui/Dialog";

export function DeleteAllMemories({ onDelete }: { onDelete: () => void }) {
  const { actions, memories: strings } = useStrings();
  const [confirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  return (
    <>
      <button
        type="button"
        className="button button-ghost button-small memories-delete-all"
        onClick={() => setConfirming(true)}
      >
        {strings.deleteAll}
      </button>
      {confirming && (
        <Dialog title={strings.deleteAllQuestion} onClose={close}>
          <p>{strings.deleteAllText}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={close}>
              {actions.cancel}
            </button>
            <button
              type="button"
              className="button button-danger"
              onClick={() => {
                close();
                onDelete();
              }}
            >
              {strings.deleteAllConfirm}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
