import { useState } from "react";
import type { ListedThread } from "../api/types";
import { useStrings } from "../strings";
import { Dialog } from "../ui/Dialog";
import { threadTitle } from "./threads";

type Props = { thread: ListedThread; onCancel: () => void; onDelete: (forget: boolean) => void };

export default function DeleteThread({ thread, onCancel, onDelete }: Props) {
  const { actions, threads: strings } = useStrings();
  const [forget, setForget] = useState(false);
  return (
    <Dialog title={strings.deleteQuestion} onClose={onCancel}>
      <p>{strings.deleteText(threadTitle(thread, strings.newThread))}</p>
      <label className="checkbox">
        <input
          type="checkbox"
          checked={forget}
          onChange={(event) => setForget(event.target.checked)}
        />
        {strings.deleteMemories}
      </label>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          {actions.cancel}
        </button>
        <button type="button" className="button button-danger" onClick={() => onDelete(forget)}>
          {actions.delete}
        </button>
      </div>
    </Dialog>
  );
}
