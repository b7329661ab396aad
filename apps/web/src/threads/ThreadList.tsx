import { lazy, Suspense, useState } from "react";
import type { ListedThread, ThreadId } from "../api/types";
import { useStrings } from "../strings";
import { ArchiveIcon, ChevronIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { SearchField } from "../ui/SearchField";
import { NewThread } from "./NewThread";
import { ThreadItem } from "./ThreadItem";
import { isSearching, visibleThreads, type Threads } from "./threads";
import type { ThreadListState } from "./useThreads";
import "./threads.css";

const DeleteThread = lazy(() => import("./DeleteThread"));

type Props = {
  list: ThreadListState;
  current: ThreadId;
  onNavigate: () => void;
  onRemove: (thread: ThreadId, forget: boolean) => void;
};

export function ThreadList({ list, current, onNavigate, onRemove }: Props) {
  const { archive } = list;
  const searching = isSearching(list.threads.search);
  const archived = archive.open && !searching;
  const threads = archived ? archive.threads : list.threads;
  const { workspace } = useStrings();
  const { threads: strings } = useStrings();
  const [deleting, setDeleting] = useState<ListedThread | null>(null);
  const { groups, cursor } = visibleThreads(threads, new Date());
  return (
    <div className="threads">
      <NewThread onNavigate={onNavigate} />
      <div className="threads-search">
        <SearchField
          label={strings.search}
          value={list.threads.search.query}
          onChange={list.search}
        />
      </div>
      {list.threads.problem && (
        <Notice problem={list.threads.problem} onDismiss={list.dismissProblem} />
      )}
      {archived && <ArchiveHeader onClose={() => archive.setOpen(false)} />}
      <nav className="threads-scroll" aria-label={workspace.threads}>
        {groups.length === 0 && <EmptyState threads={threads} archived={archived} />}
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
                  onPin={() => void list.setPinned(thread.thread_id, !thread.pinned)}
                  onArchive={() => void list.setArchived(thread)}
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
            onClick={() => void (archived ? archive : list).showMore()}
          >
            {strings.showOlder}
          </button>
        )}
        {!archive.open && !searching && (
          <button
            type="button"
            className="button button-ghost button-small threads-archive"
            onClick={() => archive.setOpen(true)}
          >
            <ArchiveIcon />
            {strings.archiveTitle}
          </button>
        )}
      </nav>
      <Suspense fallback={null}>
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
      </Suspense>
    </div>
  );
}

type EmptyProps = { threads: Threads; archived: boolean };

function EmptyState({ threads: { loaded, search }, archived }: EmptyProps) {
  const { threads: strings } = useStrings();
  const ready = isSearching(search) ? search.results !== null : loaded;
  if (!ready) return null;
  const empty = archived ? strings.archiveEmpty : strings.empty;
  return <p className="threads-empty">{isSearching(search) ? strings.noMatch : empty}</p>;
}

function ArchiveHeader({ onClose }: { onClose: () => void }) {
  const { threads: strings } = useStrings();
  return (
    <div className="threads-archive-header">
      <button
        type="button"
        className="button-icon"
        aria-label={strings.closeArchive}
        onClick={onClose}
      >
        <ChevronIcon />
      </button>
      <h2>{strings.archiveTitle}</h2>
    </div>
  );
}
