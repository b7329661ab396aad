import { useState, type KeyboardEvent } from "react";
import type { ListedThread } from "../api/types";
import { PencilIcon, TrashIcon } from "../ui/icons";
import { threadHash } from "../url";
import { threadTitle } from "./threads";

type Props = {
  thread: ListedThread;
  current: boolean;
  onNavigate: () => void;
  onRename: (title: string) => void;
  onDelete: () => void;
};

export function ThreadItem({ thread, current, onNavigate, onRename, onDelete }: Props) {
  const [renaming, setRenaming] = useState(false);
  const title = threadTitle(thread);
  if (renaming) {
    const finish = (newTitle: string) => {
      setRenaming(false);
      if (newTitle !== "" && newTitle !== title) onRename(newTitle);
    };
    return <TitleInput title={title} onFinish={finish} />;
  }
  return (
    <li className="thread-item" data-current={current || undefined}>
      <a
        className="thread-link"
        href={threadHash(thread.thread_id)}
        aria-current={current ? "page" : undefined}
        title={title}
        onClick={onNavigate}
      >
        {title}
        {thread.snippet && <span className="thread-snippet">{thread.snippet}</span>}
      </a>
      <span className="thread-actions">
        <button
          type="button"
          className="button-icon"
          aria-label={`Rename “${title}”`}
          onClick={() => setRenaming(true)}
        >
          <PencilIcon />
        </button>
        <button
          type="button"
          className="button-icon"
          aria-label={`Delete “${title}”`}
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
        aria-label="Thread title"
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
