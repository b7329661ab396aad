import type { TextMessagePartProps } from "@assistant-ui/react";
import { useModule } from "../ui/useModule";

const loadMarkdown = () => import("../markdown/Markdown");

/** The text of an answer; it is shown without formatting until Markdown is loaded. */
export function AnswerText({ text, status }: TextMessagePartProps) {
  const module = useModule(loadMarkdown, true);
  if (module === null) return <p className="message-text">{text}</p>;
  return <module.Markdown text={text} growing={status.type === "running"} findSources={null} />;
}
