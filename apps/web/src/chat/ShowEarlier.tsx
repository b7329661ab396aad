import type { MouseEvent } from "react";
import { useStrings } from "../strings";

/** A button that adds earlier messages at the top without moving the visible ones. */
export function ShowEarlier({ onShow }: { onShow: () => void }) {
  const { chat: strings } = useStrings();
  const show = (event: MouseEvent<HTMLElement>) => {
    const content = event.currentTarget.parentElement;
    const viewport = content?.parentElement;
    if (content && viewport) preserveScrollPosition(content, viewport);
    onShow();
  };
  return (
    <button type="button" className="button button-ghost thread-show-earlier" onClick={show}>
      {strings.showEarlier}
    </button>
  );
}

function preserveScrollPosition(content: HTMLElement, viewport: HTMLElement): void {
  const height = viewport.scrollHeight;
  const fromBottom = height - viewport.scrollTop;
  const observer = new ResizeObserver(() => {
    if (viewport.scrollHeight <= height) return;
    viewport.scrollTop = viewport.scrollHeight - fromBottom;
    observer.disconnect();
  });
  observer.observe(content);
}
