import { useState } from "react";
import type { Thread } from "../api/types";
import { Modal } from "../ui/Modal";
import { titleOf } from "./threads";

type Props = { thread: Thread; onCancel: () => void; onDelete: (forget: boolean) => void };

export function DeleteThread({ thread, onCancel, onDelete }: Props) {
  const [forget, setForget] = useState(false);
  return (
    <Modal label="Delete this thread?" className="dialog" onClose={onCancel}>
      <h2>Delete this thread?</h2>
      <p>“{titleOf(thread)}” and all its messages will be gone.</p>
      <label className="check">
        <input
          type="checkbox"
          checked={forget}
          onChange={(event) => setForget(event.target.checked)}
        />
        Also forget what it taught Keepsake about me
      </label>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          Keep it
        </button>
        <button type="button" className="button button-danger" onClick={() => onDelete(forget)}>
          Delete
        </button>
      </div>
    </Modal>
  );
}
