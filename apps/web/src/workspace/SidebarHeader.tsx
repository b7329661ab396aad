import { useStrings } from "../strings";
import { CloseIcon } from "../ui/icons";
import { Wordmark } from "../ui/Wordmark";

type Props = {
  /** Null if the sidebar cannot be closed. */
  onClose: (() => void) | null;
};

export function SidebarHeader({ onClose }: Props) {
  const strings = useStrings();
  return (
    <header className="sidebar-header">
      <Wordmark />
      {onClose && (
        <button
          type="button"
          className="button-icon"
          aria-label={strings.workspace.closeThreads}
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      )}
    </header>
  );
}
