import { useEffect, useRef } from "react";
import { findShortcut, type ShortcutAction } from "./shortcuts";

/** Call `onAction` for the page's keyboard shortcuts. */
export function useShortcuts(onAction: (action: ShortcutAction) => void) {
  const listener = useRef(onAction);
  useEffect(() => {
    listener.current = onAction;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      const action = findShortcut(event, isTextField(event.target));
      if (action === null) return;
      event.preventDefault();
      listener.current(action);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
