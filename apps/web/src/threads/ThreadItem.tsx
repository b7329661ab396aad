import { Link } from "wouter";
import { useState, type KeyboardEvent } from "react";
import type { ListedThread } from "../api/types";
import { threadPath } from "../routes";
import { useStrings } from "../strings";
import { ThreadMenu, type ThreadActions } from "./ThreadMenu";
import { threadTitle } from "./threads";

type Props = Omit<ThreadActions, "onRename"> & {
  thread: ListedThread;
  current: boolean;
  onNavigate: () => void;
  onRename: (title: string) => void;
};

export function ThreadItem({ thread, current, onNavigate, onRename, ...actions }: Props) {
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
      <ThreadMenu thread={thread} title={title} onRename={() => setRenaming(true)} {...actions} />
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
