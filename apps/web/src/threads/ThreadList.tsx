import { useState } from "react";
import type { Thread, ThreadId } from "../api/types";
import { Notice } from "../ui/Notice";
import { SearchField } from "../ui/SearchField";
import { DeleteThread } from "./DeleteThread";
import { NewThread } from "./NewThread";
import { ThreadItem } from "./ThreadItem";
import { isSearching, shownThreads, type Threads } from "./threads";
import "./threads.css";

type Props = {
  threads: Threads;
  open: ThreadId;
  onOpen: () => void;
  onSearch: (words: string) => void;
  onShowMore: () => void;
  onRename: (thread: ThreadId, title: string) => void;
  onRemove: (thread: ThreadId, forget: boolean) => void;
  onDismiss: () => void;
};

export function ThreadList({ threads, open, onOpen, onSearch, onShowMore, ...on }: Props) {
  const [leaving, setLeaving] = useState<Thread | null>(null);
  const { search } = threads;
  const { days, next } = shownThreads(threads, new Date());
  return (
    <div className="threads">
      <NewThread onOpen={onOpen} />
      <div className="threads-search">
        <SearchField label="Search threads" value={search.query} onChange={onSearch} />
      </div>
      <p className="threads-notice" role="status">
        {threads.notice}
      </p>
      {threads.problem && <Notice problem={threads.problem} onDismiss={on.onDismiss} />}
      <nav className="threads-scroll" aria-label="Threads">
        {days.length === 0 && <Nothing threads={threads} />}
        {days.map(({ label, threads: items }) => (
          <section key={label} aria-label={label}>
            <h2 className="threads-day">{label}</h2>
            <ul className="threads-list" data-testid="threads">
              {items.map((thread) => (
                <ThreadItem
                  key={thread.thread_id}
                  thread={thread}
                  snippet={thread.snippet}
                  current={thread.thread_id === open}
                  onOpen={onOpen}
                  onRename={(title) => on.onRename(thread.thread_id, title)}
                  onLeave={() => setLeaving(thread)}
                />
              ))}
            </ul>
          </section>
        ))}
        {next !== null && (
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

function Nothing({ threads: { loaded, search } }: { threads: Threads }) {
  const ready = isSearching(search) ? search.found !== null : loaded;
  if (!ready) return null;
  return (
    <p className="threads-none">
      {isSearching(search) ? "No thread fits." : "Your threads will be listed here."}
    </p>
  );
}
