import { useState, type FormEvent, type KeyboardEvent } from "react";
import { useStrings } from "../strings";

const MAX_REASON_CHARS = 2_000;

type Props = { onSend: (reason: string) => void; onClose: () => void };

/** Asks why an answer was not good; the rating itself is already saved. */
export function RatingReason({ onSend, onClose }: Props) {
  const { rating: strings } = useStrings();
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend(reason.trim());
    onClose();
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <form className="rating-reason" data-testid="rating-reason" onSubmit={submit}>
      <input
        className="field"
        aria-label={strings.reason}
        placeholder={strings.reason}
        dir="auto"
        maxLength={MAX_REASON_CHARS}
        value={reason}
        autoFocus
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={closeOnEscape}
      />
      <button type="button" className="button button-small" onClick={onClose}>
        {strings.skip}
      </button>
      <button className="button button-small button-primary" disabled={reason.trim() === ""}>
        {strings.send}
      </button>
    </form>
  );
}
