import type { SavedMessage } from "../api/types";

type Labels = { readonly you: string; readonly assistant: string };

/** A thread as a Markdown document. The texts of the messages, which may be Markdown themselves, are unchanged. */
export function threadMarkdown(
  title: string,
  messages: readonly SavedMessage[],
  labels: Labels,
  formatDate: (ts: string) => string,
): string {
  const sections = messages.map(({ role, text, ts }) => {
    const name = role === "user" ? labels.you : labels.assistant;
    return `**${name}** · ${formatDate(ts)}\n\n${text.trim()}`;
  });
  return `${[`# ${title}`, ...sections].join("\n\n")}\n`;
}

/** A file name for a title: without characters that file systems reserve. */
export function fileName(title: string): string {
  const name = title
    .replace(/[\u0000-\u001f<>:"/\\|?*]/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  return `${name.slice(0, 80) || "thread"}.md`;
}
