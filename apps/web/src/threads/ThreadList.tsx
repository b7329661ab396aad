import { useState } from "react";
import type { Thread, ThreadId } from "../api/types";
import { PlusIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { hashOf } from "../url";
import { DeleteThread } from "./DeleteThread";
import { ThreadItem } from "./ThreadItem";
import { groupByDay, type Threads } from "./threads";
import "./threads.css";

type Props = {
  threads: Threads;
  open: ThreadId;
  onOpen: () => void;
  onShowMore: () => void;
  onRename: (thread: ThreadId, title: string) => void;
  onRemove: (thread: ThreadId, forget: boolean) => void;
  onDismiss: () => void;
};

export function ThreadList({ threads, open, onOpen, onShowMore, ...on }: Props) {
  const [leaving, setLeaving] = useState<Thread | null>(null);
  return (
    <div className="threads">
      <a className="button button-quiet threads-new" href={hashOf(null)} onClick={onOpen}>
        <PlusIcon />
        New thread
      </a>
      {threads.problem && <Notice problem={threads.problem} onDismiss={on.onDismiss} />}
      <nav className="threads-scroll" aria-label="Threads">
        {threads.loaded && threads.items.length === 0 && (
          <p className="threads-none">Your threads will be listed here.</p>
        )}
        {groupByDay(threads.items, new Date()).map(({ label, threads: items }) => (
          <section key={label} aria-label={label}>
            <h2 className="threads-day">{label}</h2>
            <ul className="threads-list" data-testid="threads">
              {items.map((thread) => (
                <ThreadItem
                  key={thread.thread_id}
                  thread={thread}
                  current={thread.thread_id === open}
                  onOpen={onOpen}
                  onRename={(title) => on.onRename(thread.thread_id, title)}
                  onLeave={() => setLeaving(thread)}
                />
              ))}
            </ul>
          </section>
        ))}
        {threads.next !== null && (
          <button type="button" className="button button-quiet" onClick={onShowMore}>
            Show older threads
          </button>
        )}
      </nav>
      {leaving && (
        <DeleteThread
          thread={leaving}
          onCancel={() => setLeaving(null)}
          onDelete={(forget) => {
            setLeaving(null);
            on.onRemove(leaving.thread_id, forget);
          }}
        />
      )}
    </div>
  );
}
