import type { MouseEvent } from "react";

/** Shows what came before; the reader's place stays where it is when the page grows above it. */
export function Earlier({ onShow }: { onShow: () => void }) {
  const show = (event: MouseEvent<HTMLElement>) => {
    const page = event.currentTarget.parentElement;
    const viewport = page?.parentElement;
    if (page && viewport) keepPlace(page, viewport);
    onShow();
  };
  return (
    <button type="button" className="button button-quiet thread-earlier" onClick={show}>
      Show earlier messages
    </button>
  );
}

function keepPlace(page: HTMLElement, viewport: HTMLElement): void {
  const height = viewport.scrollHeight;
  const fromEnd = height - viewport.scrollTop;
  const watch = new ResizeObserver(() => {
    if (viewport.scrollHeight <= height) return;
    viewport.scrollTop = viewport.scrollHeight - fromEnd;
    watch.disconnect();
  });
  watch.observe(page);
}
