import type { Element, ElementContent } from "hast";
import type { ComponentPropsWithoutRef } from "react";
import type { Components, ExtraProps } from "react-markdown";
import { useStrings } from "../strings";
import { CodeBlock } from "./CodeBlock";
import { Formula } from "./Formula";
import { Mark } from "./Mark";

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

function Preformatted({ node, children }: ComponentPropsWithoutRef<"pre"> & ExtraProps) {
  const code = node?.children.find(isCode);
  if (code === undefined) return <pre tabIndex={0}>{children}</pre>;
  if (hasClass(code, "math-display")) return <Formula tex={textOf(code)} display />;
  return <CodeBlock code={textOf(code).replace(/\n$/, "")} language={languageOf(code)} />;
}

/** A formula in a paragraph of its own is displayed. */
function Paragraph({ node, children, dir }: ComponentPropsWithoutRef<"p"> & ExtraProps) {
  const [only, ...others] = node?.children ?? [];
  if (only !== undefined && others.length === 0 && isCode(only) && hasClass(only, "math-inline")) {
    return <Formula tex={textOf(only)} display />;
  }
  return <p dir={dir}>{children}</p>;
}

function InlineCode({ node, children, className }: ComponentPropsWithoutRef<"code"> & ExtraProps) {
  if (node !== undefined && hasClass(node, "math-inline")) {
    return <Formula tex={textOf(node)} display={false} />;
  }
  return <code className={className}>{children}</code>;
}

function isCode(node: ElementContent): node is Element {
  return node.type === "element" && node.tagName === "code";
}

function textOf(node: Element): string {
  return node.children.map((child) => (child.type === "text" ? child.value : "")).join("");
}

function classNames({ properties }: Element): readonly string[] {
  const { className } = properties;
  return Array.isArray(className) ? className.map(String) : [];
}

function hasClass(node: Element, name: string): boolean {
  return classNames(node).includes(name);
}

function languageOf(code: Element): string {
  const name = classNames(code).find((className) => className.startsWith("language-"));
  return (name ?? "").slice("language-".length);
}

/** Wide content is focusable so that it can be scrolled with the keyboard. */
function ScrollableTable({ children, dir }: ComponentPropsWithoutRef<"table">) {
  const { chat: strings } = useStrings();
  return (
    <div className="markdown-table" role="region" aria-label={strings.table} tabIndex={0}>
      <table dir={dir}>{children}</table>
    </div>
  );
}

/** The check box of a task list. */
function Task({ checked }: ComponentPropsWithoutRef<"input">) {
  const { answer: strings } = useStrings();
  const label = checked === true ? strings.taskDone : strings.taskOpen;
  return <span className="markdown-task" role="img" aria-label={label} data-done={checked} />;
}

export const ELEMENTS: Components = {
  a: ExternalLink,
  code: InlineCode,
  img: ImagePlaceholder,
  input: Task,
  mark: Mark,
  p: Paragraph,
  pre: Preformatted,
  table: ScrollableTable,
};
