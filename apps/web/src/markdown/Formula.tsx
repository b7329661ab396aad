import { useLayoutEffect, useRef } from "react";
import { useStrings } from "../strings";
import { useModule } from "../ui/useModule";
import type { KatexOptions } from "./katex";

const loadKatex = () => import("./katex");

/** Commands that load or link to something are not executed; sizes and macros are limited. */
const OPTIONS: KatexOptions = {
  throwOnError: false,
  strict: "ignore",
  trust: false,
  maxSize: 20,
  maxExpand: 200,
};

type Props = { tex: string; display: boolean };

/**
 * A formula; it is shown as TeX until KaTeX is loaded.
 *
 * KaTeX renders into the element: its HTML has style attributes, which the content security policy forbids.
 */
export function Formula({ tex, display }: Props) {
  const { answer: strings } = useStrings();
  const katex = useModule(loadKatex, true);
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (katex === null || element.current === null) return;
    katex.render(tex, element.current, { ...OPTIONS, displayMode: display });
  }, [katex, tex, display]);
  const className = display ? "markdown-formula markdown-formula-display" : "markdown-formula";
  return (
    <span
      key={katex === null ? "tex" : "rendered"}
      ref={element}
      className={className}
      dir="ltr"
      {...(display && { role: "region", "aria-label": strings.formula, tabIndex: 0 })}
    >
      {katex === null ? tex : null}
    </span>
  );
}
