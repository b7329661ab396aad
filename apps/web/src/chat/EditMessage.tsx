import * as ComposerPrimitive from "@assistant-ui/react/primitives/composer";
import { useState } from "react";
import { useStrings } from "../strings";
import { LengthCounter } from "./LengthCounter";

/** Edits a message of the user; sending it starts a branch. */
export function EditMessage() {
  const { actions, branches: strings, chat } = useStrings();
  const [tooLong, setTooLong] = useState(false);
  return (
    <ComposerPrimitive.Root className="message-edit">
      <ComposerPrimitive.Input
        className="field"
        aria-label={strings.edit}
        dir="auto"
        rows={1}
        maxRows={12}
        autoFocus
        submitMode={tooLong ? "none" : "enter"}
      />
      <div className="message-edit-footer">
        <p className="message-edit-note">{strings.editHint}</p>
        <LengthCounter onTooLong={setTooLong} />
        <span className="message-edit-buttons">
          <ComposerPrimitive.Cancel className="button button-small">
            {actions.cancel}
          </ComposerPrimitive.Cancel>
          <ComposerPrimitive.Send className="button button-small button-primary" disabled={tooLong}>
            {chat.send}
          </ComposerPrimitive.Send>
        </span>
      </div>
    </ComposerPrimitive.Root>
  );
}
