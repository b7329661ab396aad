import type { ReactNode } from "react";
import { useStrings } from "../strings";
import { BookmarkIcon, MenuIcon } from "../ui/icons";
import type { Layout } from "./useLayout";

type Props = {
  title: string;
  layout: Layout;
  /** What the memory button is replaced by. */
  children?: ReactNode;
};

export function TopBar({ title, layout: { threads, memory }, children }: Props) {
  const strings = useStrings();
  const { name } = strings.app;
  return (
    <header className="top-bar">
      <title>{title === "" ? name : `${title} · ${name}`}</title>
      {!threads.docked && (
        <button
          type="button"
          className="button-icon"
          aria-label={strings.workspace.threads}
          onClick={threads.open}
        >
          <MenuIcon />
        </button>
      )}
      <h1 className="top-bar-title" dir="auto">
        {title}
      </h1>
      {children === undefined ? (
        <button
          type="button"
          className="button button-ghost"
          aria-expanded={memory.visible}
          onClick={memory.toggle}
        >
          <BookmarkIcon />
          {strings.workspace.memory}
        </button>
      ) : (
        children
      )}
    </header>
  );
}
