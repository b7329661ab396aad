import { useState } from "react";
import { Modal } from "../ui/Modal";

export function DeleteAllMemories({ onDelete }: { onDelete: () => void }) {
  const [confirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  return (
    <>
      <button
        type="button"
        className="button button-ghost button-small memories-delete-all"
        onClick={() => setConfirming(true)}
      >
        Delete all memories
      </button>
      {confirming && (
        <Modal label="Delete all memories?" className="dialog" onClose={close}>
          <h2>Delete all memories?</h2>
          <p>
            Everything that Keepsake knows about you will be deleted permanently, including the
            history and messages that are not yet saved to memory. Your threads are kept.
          </p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={close}>
              Cancel
            </button>
            <button
              type="button"
              className="button button-danger"
              onClick={() => {
                close();
                onDelete();
              }}
            >
              Delete all
            </button>
          </div>
        </Modal>
      )}
    </>
  );
}
