import { Link } from "wouter";
import { useState, type KeyboardEvent } from "react";
import type { ListedThread } from "../api/types";
import { DownloadIcon, PencilIcon, TrashIcon } from "../ui/icons";
import { threadPath } from "../routes";
import { useStrings } from "../strings";
import { threadTitle } from "./threads";

type Props = {
  thread: ListedThread;
  current: boolean;
  onNavigate: () => void;
  onExport: () => void;
  onRename: (title: string) => void;
  onDelete: () => void;
};

export function ThreadItem({ thread, current, onNavigate, onExport, onRename, onDelete }: Props) {
  const [renaming, setRenaming] = useState(false);
  const { threads: strings } = useStrings();
  const title = threadTitle(thread, strings.newThread);
  if (renaming) {
    const finish = (newTitle: string) => {
      setRenaming(false);
      if (newTitle !== "" && newTitle !== title) onRename(newTitle);
    };
    return <TitleInput title={title} onFinish={finish} />;
  }
  return (
    <li className="thread-item" data-current={current || undefined}>
      <Link
        className="thread-link"
        href={threadPath(thread.thread_id)}
        aria-current={current ? "page" : undefined}
        title={title}
        onClick={onNavigate}
      >
        {title}
        {thread.snippet && <span className="thread-snippet">{thread.snippet}</span>}
      </Link>
      <span className="thread-actions">
        <button
          type="button"
          className="button-icon"
          aria-label={strings.rename(title)}
          onClick={() => setRenaming(true)}
        >
          <PencilIcon />
        </button>
        <button
          type="button"
          className="button-icon"
          aria-label={strings.export(title)}
          onClick={onExport}
        >
          <DownloadIcon />
        </button>
        <button
          type="button"
          className="button-icon"
          aria-label={strings.delete(title)}
          onClick={onDelete}
        >
          <TrashIcon />
        </button>
      </span>
    </li>
  );
}

type TitleInputProps = { title: string; onFinish: (title: string) => void };

/** Enter or blur finishes with the new title, Escape with the old one. */
function TitleInput({ title, onFinish }: TitleInputProps) {
  const strings = useStrings();
  const [draft, setDraft] = useState(title);
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "Enter") onFinish(draft.trim());
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onFinish(title);
  };
  return (
    <li className="thread-item">
      <input
        className="field thread-title-input"
        aria-label={strings.threads.title}
        value={draft}
        maxLength={200}
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={handleKey}
        onBlur={() => onFinish(draft.trim())}
      />
    </li>
  );
}
