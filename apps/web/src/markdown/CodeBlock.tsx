import { Fragment, useContext, useEffect, useState, type ReactNode } from "react";
import { useStrings } from "../strings";
import { CheckIcon, CopyIcon } from "../ui/icons";
import { GrowingContext } from "./GrowingContext";
import type { CodeTree } from "./highlighter";
import "./code.css";

type Props = { code: string; language: string };

/** A code block with its language and a copy button; its colours are loaded once it is complete. */
export function CodeBlock({ code, language }: Props) {
  const tree = useHighlighted(code, language);
  return (
    <figure className="code-block" data-testid="code">
      <figcaption className="code-block-header">
        <span>{language}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* Wide content is focusable so that it can be scrolled with the keyboard. */}
      <pre tabIndex={0} dir="ltr">
        <code>{tree === null ? code : renderNodes(tree.children)}</code>
      </pre>
    </figure>
  );
}

function useHighlighted(code: string, language: string): CodeTree | null {
  const growing = useContext(GrowingContext);
  const [highlighted, setHighlighted] = useState<{ code: string; tree: CodeTree | null }>();
  useEffect(() => {
    if (growing || language === "") return;
    let mounted = true;
    import("./highlighter")
      .then(({ highlight }) => highlight(code, language))
      .then(
        (tree) => mounted && setHighlighted({ code, tree }),
        () => undefined, // without colours, the code is still complete
      );
    return () => {
      mounted = false;
    };
  }, [code, language, growing]);
  return highlighted?.code === code ? highlighted.tree : null;
}

function renderNodes(nodes: CodeTree["children"]): ReactNode {
  return nodes.map((node, index) => {
    if (node.type === "text") return <Fragment key={index}>{node.value}</Fragment>;
    if (node.type !== "element") return null;
    const { className } = node.properties;
    return (
      <span key={index} className={Array.isArray(className) ? className.join(" ") : undefined}>
        {renderNodes(node.children)}
      </span>
    );
  });
}

const COPIED_MS = 2_000;

function CopyButton({ text }: { text: string }) {
  const strings = useStrings();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className="button-icon"
      aria-label={copied ? strings.actions.copied : strings.answer.copyCode}
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => undefined,
        )
      }
    >
      {copied ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}
