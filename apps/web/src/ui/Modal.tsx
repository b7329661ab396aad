import { useEffect, useRef, type MouseEvent, type ReactNode } from "react";

type Props = { label: string; className: string; onClose: () => void; children: ReactNode };

/** A modal dialog, open while it is mounted. The browser traps the focus and handles Escape. */
export function Modal({ label, className, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={closeOnBackdrop}
    >
      {children}
    </dialog>
  );
}
