import { lazy, Suspense, type ReactNode } from "react";

const Dialog = lazy(async () => ({ default: (await import("../ui/Dialog")).Dialog }));

type Props = {
  label: string;
  side: "start" | "end";
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
    <Suspense fallback={null}>
      <Dialog
        title={label}
        titleVisible={false}
        className={`sidebar drawer drawer-${side}`}
        onClose={onClose}
      >
        {children}
      </Dialog>
    </Suspense>
  );
}
