import { MarkdownTextPrimitive } from "@assistant-ui/react-markdown";
import type { ComponentPropsWithoutRef } from "react";
import remarkGfm from "remark-gfm";
import { useStrings } from "../strings";
import "./markdown.css";

const PLUGINS = [remarkGfm];
const ALLOWED_URL = /^(?:https?:|mailto:)/i;

/** Images are never loaded: a URL written by the model could leak data to another server. */
function ImagePlaceholder({ alt, src }: ComponentPropsWithoutRef<"img">) {
  const parts = [alt, typeof src === "string" ? src : ""].filter(Boolean);
  return <span className="markdown-image">{parts.join(" · ")}</span>;
}

function ExternalLink({ href, children }: ComponentPropsWithoutRef<"a">) {
  if (href === undefined || !ALLOWED_URL.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

// Wide content is focusable so that it can be scrolled with the keyboard.
function CodeBlock({ children }: ComponentPropsWithoutRef<"pre">) {
  return <pre tabIndex={0}>{children}</pre>;
}

function Table({ children }: ComponentPropsWithoutRef<"table">) {
  const { chat: strings } = useStrings();
  return (
    <div className="markdown-table" role="region" aria-label={strings.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

const COMPONENTS = { a: ExternalLink, img: ImagePlaceholder, pre: CodeBlock, table: Table };

/** The text of an answer as Markdown; raw HTML is shown as text. */
export function Markdown() {
  return (
    <MarkdownTextPrimitive className="markdown" remarkPlugins={PLUGINS} components={COMPONENTS} />
  );
}
