import { useEffect } from "react";

const TABBABLE = "a[href], button:not(:disabled), input:not(:disabled), textarea, [tabindex='0']";

/**
 * Keep the focus in the page when the focused element is removed, for example by deleting a list item.
 *
 * Browsers then move it to `body`, and keyboard users start again at the top. The focus moves to the nearest remaining
 * container instead: to its first control, or else to the main content.
 */
export function useFocusGuard() {
  useEffect(() => {
    let path: readonly Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      path = target instanceof Element ? ancestors(target) : [];
    };
    const restore = () => {
      if (document.activeElement !== document.body || path[0]?.isConnected !== false) return;
      const container = path.find((element) => element.isConnected);
      path = [];
      const control = container?.querySelector<HTMLElement>(TABBABLE);
      (control ?? document.getElementById("main"))?.focus();
    };
    const observer = new MutationObserver(restore);
    document.addEventListener("focusin", remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, []);
}

/** The element and its ancestors below `#root`, innermost first. */
function ancestors(element: Element): readonly Element[] {
  const path: Element[] = [];
  for (let it: Element | null = element; it !== null && it.id !== "root"; it = it.parentElement) {
    path.push(it);
  }
  return path;
}
