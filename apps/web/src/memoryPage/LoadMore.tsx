import { useEffect, useRef } from "react";
import { useStrings } from "../strings";

/** Loads the next page once when it comes into view; a button for everyone who does not scroll. */
export function LoadMore({ onLoad }: { onLoad: () => void }) {
  const { memories: strings } = useStrings();
  const button = useRef<HTMLButtonElement>(null);
  const load = useRef(onLoad);
  useEffect(() => {
    load.current = onLoad;
  });
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        load.current();
      },
      { rootMargin: "600px" },
    );
    if (button.current) observer.observe(button.current);
    return () => observer.disconnect();
  }, []);
  return (
    <button ref={button} type="button" className="button button-ghost" onClick={onLoad}>
      {strings.showMore}
    </button>
  );
}
