import { useEffect, useRef, type MouseEvent, type ReactNode } from "react";

type Props = { label: string; className: string; onClose: () => void; children: ReactNode };

/** A dialog over the page while it is mounted; the browser keeps focus inside and closes it on Escape. */
export function Modal({ label, className, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
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
