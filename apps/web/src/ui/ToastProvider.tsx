import { Toast } from "radix-ui";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { useStrings } from "../strings";
import { CloseIcon } from "./icons";
import { ToastContext, type ToastContent } from "./toast";

const DURATION_MS = 5_000;
/** Longer, because the user has to decide. */
const UNDO_DURATION_MS = 10_000;

type Entry = ToastContent & { readonly id: number };

/** Shows the toasts of the components in it, the newest last. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const strings = useStrings();
  const [toasts, setToasts] = useState<readonly Entry[]>([]);
  const lastId = useRef(0);
  const expiring = useExpiring();
  const show = useCallback(
    (content: ToastContent) => {
      lastId.current += 1;
      const entry = { ...content, id: lastId.current };
      if (content.onExpire) expiring.add(entry.id, content.onExpire);
      setToasts((current) => [...current, entry]);
    },
    [expiring],
  );
  const remove = (id: number) => {
    expiring.expire(id);
    setToasts((current) => current.filter((it) => it.id !== id));
  };

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
                onClick={() => {
                  expiring.cancel(id);
                  onUndo();
                }}
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

/** What happens when toasts expire; also when the page is closed. */
function useExpiring() {
  const [actions] = useState(createExpiring);
  useEffect(() => {
    window.addEventListener("pagehide", actions.expireAll);
    return () => {
      window.removeEventListener("pagehide", actions.expireAll);
      actions.expireAll();
    };
  }, [actions]);
  return actions;
}

function createExpiring() {
  const pending = new Map<number, () => void>();
  const expire = (id: number) => {
    const action = pending.get(id);
    pending.delete(id);
    action?.();
  };
  return {
    add: (id: number, action: () => void) => void pending.set(id, action),
    cancel: (id: number) => void pending.delete(id),
    expire,
    expireAll: () => [...pending.keys()].forEach(expire),
  };
}
