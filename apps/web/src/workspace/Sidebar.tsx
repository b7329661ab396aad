import type { ReactNode } from "react";
import { Modal } from "../ui/Modal";

type Props = {
  label: string;
  side: "left" | "right";
  /** True: a column next to the chat; false: a modal drawer, for narrow windows. */
  docked: boolean;
  onClose: () => void;
  children: ReactNode;
};

export function Sidebar({ label, side, docked, onClose, children }: Props) {
  if (docked) {
    return (
      <aside className={`sidebar sidebar-${side}`} aria-label={label}>
        {children}
      </aside>
    );
  }
  return (
    <Modal label={label} className={`sidebar drawer drawer-${side}`} onClose={onClose}>
      {children}
    </Modal>
  );
}
