import { createContext, use } from "react";

export type ToastContent = {
  readonly text: string;
  /** Undoes what the toast reports; the toast then has a button for it. */
  readonly onUndo?: () => unknown;
  /** Called when the toast has gone, or the page is closed, without undo. */
  readonly onExpire?: () => void;
};

export type ShowToast = (content: ToastContent) => void;

export const ToastContext = createContext<ShowToast | null>(null);

/** A function that shows a short message, optionally with an undo button, and announces it to screen readers. */
export function useToast(): ShowToast {
  const show = use(ToastContext);
  if (show === null) throw new Error("useToast requires a ToastProvider");
  return show;
}
