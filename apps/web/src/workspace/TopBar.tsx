import { BookmarkIcon, MenuIcon } from "../ui/icons";

type Props = {
  title: string;
  /** Opens the thread list; null if it is always visible. */
  onOpenThreads: (() => void) | null;
  memoryOpen: boolean;
  onToggleMemory: () => void;
};

export function TopBar({ title, onOpenThreads, memoryOpen, onToggleMemory }: Props) {
  return (
    <header className="top-bar">
      <title>{title === "" ? "Keepsake" : `${title} · Keepsake`}</title>
      {onOpenThreads && (
        <button type="button" className="button-icon" aria-label="Threads" onClick={onOpenThreads}>
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
        Memory
      </button>
    </header>
  );
}
