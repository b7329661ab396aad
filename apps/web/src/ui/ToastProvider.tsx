import { Toast } from "radix-ui";
import { useCallback, useState, type ReactNode } from "react";
import { useStrings } from "../strings";
import { CloseIcon } from "./icons";
import { ToastContext, type ToastContent } from "./toast";

const DURATION_MS = 5_000;
/** Longer, because the user has to decide. */
const UNDO_DURATION_MS = 10_000;
const MAX_TOASTS = 3;

type Entry = ToastContent & { readonly id: number };

/** Shows the toasts of the components in it, the newest last. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const strings = useStrings();
  const [toasts, setToasts] = useState<readonly Entry[]>([]);
  const show = useCallback((content: ToastContent) => {
    setToasts((current) => {
      const id = (current.at(-1)?.id ?? 0) + 1;
      return [...current, { ...content, id }].slice(-MAX_TOASTS);
    });
  }, []);
  const remove = (id: number) => setToasts((current) => current.filter((it) => it.id !== id));

  return (
    <ToastContext value={show}>
      <Toast.Provider label={strings.toast.label} swipeDirection="down">
        {children}
        {toasts.map(({ id, text, onUndo }) => (
          <Toast.Root
            key={id}
            className="toast"
            data-testid="toast"
            duration={onUndo ? UNDO_DURATION_MS : DURATION_MS}
            onOpenChange={(open) => {
              if (!open) remove(id);
            }}
          >
            <Toast.Description className="toast-text">{text}</Toast.Description>
            {onUndo && (
              <Toast.Action
                className="button button-small"
                altText={strings.toast.undoHint}
                onClick={() => void onUndo()}
              >
                {strings.actions.undo}
              </Toast.Action>
            )}
            <Toast.Close className="button-icon" aria-label={strings.actions.dismiss}>
              <CloseIcon />
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className="toasts" label={strings.toast.viewport} />
      </Toast.Provider>
    </ToastContext>
  );
}
