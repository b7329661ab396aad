import { useStrings } from "../strings";
import { TemporaryChatIcon } from "../ui/icons";
import "./temporaryBanner.css";

type Props = {
  /** Null while the chat has no messages. */
  onDelete: (() => void) | null;
};

export function TemporaryBanner({ onDelete }: Props) {
  const { temporary: strings } = useStrings().chat;
  return (
    <aside className="temporary-banner" aria-label={strings.title} data-testid="temporary">
      <TemporaryChatIcon />
      <p className="temporary-banner-text">
        <strong>{strings.title}.</strong> {strings.text}
      </p>
      {onDelete && (
        <button type="button" className="button button-small" onClick={onDelete}>
          {strings.deleteNow}
        </button>
      )}
    </aside>
  );
}
