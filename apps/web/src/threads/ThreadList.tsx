import { useState } from "react";
import type { ListedThread, ThreadId } from "../api/types";
import { useStrings } from "../strings";
import { Notice } from "../ui/Notice";
import { SearchField } from "../ui/SearchField";
import { DeleteThread } from "./DeleteThread";
import { NewThread } from "./NewThread";
import { ThreadItem } from "./ThreadItem";
import { isSearching, visibleThreads, type Threads } from "./threads";
import type { ThreadListState } from "./useThreads";
import "./threads.css";

type Props = {
  list: ThreadListState;
  current: ThreadId;
  onNavigate: () => void;
  onRemove: (thread: ThreadId, forget: boolean) => void;
};

export function ThreadList({ list, current, onNavigate, onRemove }: Props) {
  const { threads } = list;
  const { workspace } = useStrings();
  const { threads: strings } = useStrings();
  const [deleting, setDeleting] = useState<ListedThread | null>(null);
  const { groups, cursor } = visibleThreads(threads, new Date());
  return (
    <div className="threads">
      <NewThread onNavigate={onNavigate} />
      <div className="threads-search">
        <SearchField label={strings.search} value={threads.search.query} onChange={list.search} />
      </div>
      {threads.problem && <Notice problem={threads.problem} onDismiss={list.dismissProblem} />}
      <nav className="threads-scroll" aria-label={workspace.threads}>
        {groups.length === 0 && <EmptyState threads={threads} />}
        {groups.map(({ label, threads: items }) => (
          <section key={label} aria-label={strings.groups[label]}>
            <h2 className="threads-group-label">{strings.groups[label]}</h2>
            <ul className="threads-list" data-testid="threads">
              {items.map((thread) => (
                <ThreadItem
                  key={thread.thread_id}
                  thread={thread}
                  current={thread.thread_id === current}
                  onNavigate={onNavigate}
                  onExport={() => void list.exportMarkdown(thread)}
                  onRename={(title) => void list.rename(thread.thread_id, title)}
                  onDelete={() => setDeleting(thread)}
                />
              ))}
            </ul>
          </section>
        ))}
        {cursor !== null && (
          <button
            type="button"
            className="button button-ghost"
            onClick={() => void list.showMore()}
          >
            {strings.showOlder}
          </button>
        )}
      </nav>
      {deleting && (
        <DeleteThread
          thread={deleting}
          onCancel={() => setDeleting(null)}
          onDelete={(forget) => {
            setDeleting(null);
            onRemove(deleting.thread_id, forget);
          }}
        />
      )}
    </div>
  );
}

function EmptyState({ threads: { loaded, search } }: { threads: Threads }) {
  const { threads: strings } = useStrings();
  const ready = isSearching(search) ? search.results !== null : loaded;
  if (!ready) return null;
  return <p className="threads-empty">{isSearching(search) ? strings.noMatch : strings.empty}</p>;
}
