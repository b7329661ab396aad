import { MenuIcon, RibbonIcon } from "../ui/icons";

type Props = {
  title: string;
  /** Opens the list of threads; null where it is in view anyhow. */
  onThreads: (() => void) | null;
  memoryOpen: boolean;
  onMemory: () => void;
};

export function TopBar({ title, onThreads, memoryOpen, onMemory }: Props) {
  return (
    <header className="top-bar">
      <title>{title === "" ? "Keepsake" : `${title} · Keepsake`}</title>
      {onThreads && (
        <button type="button" className="button-icon" aria-label="Threads" onClick={onThreads}>
          <MenuIcon />
        </button>
      )}
      <h1 className="top-bar-title">{title}</h1>
      <button
        type="button"
        className="button button-quiet"
        aria-expanded={memoryOpen}
        onClick={onMemory}
      >
        <RibbonIcon />
        Memory
      </button>
    </header>
  );
}
