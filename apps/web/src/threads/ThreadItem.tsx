import { useState, type KeyboardEvent } from "react";
import type { Thread } from "../api/types";
import { BinIcon, PencilIcon } from "../ui/icons";
import { hashOf } from "../url";
import { titleOf } from "./threads";

type Props = {
  thread: Thread;
  /** The words for which it was found. */
  snippet?: string;
  current: boolean;
  onOpen: () => void;
  onRename: (title: string) => void;
  onLeave: () => void;
};

export function ThreadItem({ thread, snippet, current, onOpen, onRename, onLeave }: Props) {
  const [naming, setNaming] = useState(false);
  const title = titleOf(thread);
  if (naming) {
    const rename = (name: string) => {
      setNaming(false);
      if (name !== "" && name !== title) onRename(name);
    };
    return <ThreadName title={title} onName={rename} />;
  }
  return (
    <li className="thread-item" data-current={current || undefined}>
      <a
        className="thread-link"
        href={hashOf(thread.thread_id)}
        aria-current={current ? "page" : undefined}
        title={title}
        onClick={onOpen}
      >
        {title}
        {snippet !== undefined && <span className="thread-snippet">{snippet}</span>}
      </a>
      <span className="thread-actions">
        <button
          type="button"
          className="button-icon"
          aria-label={`Rename “${title}”`}
          onClick={() => setNaming(true)}
        >
          <PencilIcon />
        </button>
        <button
          type="button"
          className="button-icon"
          aria-label={`Delete “${title}”`}
          onClick={onLeave}
        >
          <BinIcon />
        </button>
      </span>
    </li>
  );
}

/** The title while it is edited: Enter or leaving the field keeps it, Escape does not. */
function ThreadName({ title, onName }: { title: string; onName: (name: string) => void }) {
  const [name, setName] = useState(title);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") onName(name.trim());
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onName(title);
  };
  return (
    <li className="thread-item">
      <input
        className="field thread-name"
        aria-label="Name of the thread"
        value={name}
        maxLength={200}
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={press}
        onBlur={() => onName(name.trim())}
      />
    </li>
  );
}
