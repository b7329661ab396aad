import { TemporaryChatIcon } from "../ui/icons";
import "./temporaryBanner.css";

type Props = {
  /** Null while the chat has no messages. */
  onDelete: (() => void) | null;
};

export function TemporaryBanner({ onDelete }: Props) {
  return (
    <aside className="temporary-banner" aria-label="Temporary chat" data-testid="temporary">
      <TemporaryChatIcon />
      <p className="temporary-banner-text">
        <strong>Temporary chat.</strong> No memories are used or saved here. The chat is not listed
        and is deleted one hour after its last message.
      </p>
      {onDelete && (
        <button type="button" className="button button-small" onClick={onDelete}>
          Delete now
        </button>
      )}
    </aside>
  );
}
