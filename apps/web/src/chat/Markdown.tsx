import { MarkdownTextPrimitive } from "@assistant-ui/react-markdown";
import type { ComponentPropsWithoutRef } from "react";
import remarkGfm from "remark-gfm";
import "./markdown.css";

const PLUGINS = [remarkGfm];
const WEB = /^(?:https?:|mailto:)/i;

/** Nothing that an answer names is fetched: a picture could carry away what the answer knows. */
function Picture({ alt, src }: ComponentPropsWithoutRef<"img">) {
  const words = [alt, typeof src === "string" ? src : ""].filter(Boolean);
  return <span className="markdown-picture">{words.join(" · ")}</span>;
}

/** Links lead out to the web only, never into the page. */
function Link({ href, children }: ComponentPropsWithoutRef<"a">) {
  if (href === undefined || !WEB.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** What may be wider than the page scrolls by itself, by keyboard too. */
function Code({ children }: ComponentPropsWithoutRef<"pre">) {
  return <pre tabIndex={0}>{children}</pre>;
}

function Table({ children }: ComponentPropsWithoutRef<"table">) {
  return (
    <div className="markdown-wide" role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

const COMPONENTS = { a: Link, img: Picture, pre: Code, table: Table };

/** The text of an answer. Raw HTML in it stays text. */
export function Markdown() {
  return (
    <MarkdownTextPrimitive className="markdown" remarkPlugins={PLUGINS} components={COMPONENTS} />
  );
}
