import { useState } from "react";
import type { ListedThread } from "../api/types";
import { Modal } from "../ui/Modal";
import { threadTitle } from "./threads";

type Props = { thread: ListedThread; onCancel: () => void; onDelete: (forget: boolean) => void };

export function DeleteThread({ thread, onCancel, onDelete }: Props) {
  const [forget, setForget] = useState(false);
  return (
    <Modal label="Delete this thread?" className="dialog" onClose={onCancel}>
      <h2>Delete this thread?</h2>
      <p>“{threadTitle(thread)}” and all its messages will be deleted permanently.</p>
      <label className="checkbox">
        <input
          type="checkbox"
          checked={forget}
          onChange={(event) => setForget(event.target.checked)}
        />
        Also delete what Keepsake learned about me here
      </label>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className="button button-danger" onClick={() => onDelete(forget)}>
          Delete
        </button>
      </div>
    </Modal>
  );
}
