import { useStrings } from "../strings";
import { BookmarkIcon, MenuIcon } from "../ui/icons";

type Props = {
  title: string;
  /** Opens the thread list; null if it is always visible. */
  onOpenThreads: (() => void) | null;
  memoryOpen: boolean;
  onToggleMemory: () => void;
};

export function TopBar({ title, onOpenThreads, memoryOpen, onToggleMemory }: Props) {
  const strings = useStrings();
  const { name } = strings.app;
  return (
    <header className="top-bar">
      <title>{title === "" ? name : `${title} · ${name}`}</title>
      {onOpenThreads && (
        <button
          type="button"
          className="button-icon"
          aria-label={strings.workspace.threads}
          onClick={onOpenThreads}
        >
          <MenuIcon />
        </button>
      )}
      <h1 className="top-bar-title">{title}</h1>
      <button
        type="button"
        className="button button-ghost"
        aria-expanded={memoryOpen}
        onClick={onToggleMemory}
      >
        <BookmarkIcon />
        {strings.workspace.memory}
      </button>
    </header>
  );
}
