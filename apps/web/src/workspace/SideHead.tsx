import { CloseIcon } from "../ui/icons";
import { Wordmark } from "../ui/Wordmark";

/** `onClose` is null where the side is a column, which stays. */
export function SideHead({ onClose }: { onClose: (() => void) | null }) {
  return (
    <header className="side-head">
      <Wordmark />
      {onClose && (
        <button type="button" className="button-icon" aria-label="Close threads" onClick={onClose}>
          <CloseIcon />
        </button>
      )}
    </header>
  );
}
