import type { ReactNode } from "react";
import { Modal } from "../ui/Modal";

type Props = {
  label: string;
  side: "left" | "right";
  /** A column of the page where there is room for it, else a drawer over it. */
  column: boolean;
  onClose: () => void;
  children: ReactNode;
};

export function Side({ label, side, column, onClose, children }: Props) {
  if (column) {
    return (
      <aside className={`side side-${side}`} aria-label={label}>
        {children}
      </aside>
    );
  }
  return (
    <Modal label={label} className={`side drawer drawer-${side}`} onClose={onClose}>
      {children}
    </Modal>
  );
}
