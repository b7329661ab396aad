import { Link } from "wouter";
import type { Divergence, ThreadId } from "../api/types";
import { threadPath } from "../routes";
import { useStrings } from "../strings";
import { ChevronIcon } from "../ui/icons";

/**
 * Shows which of several branches the thread is, with links to those before and after it.
 *
 * Not assistant-ui's own picker: its branches are messages in the page, and these are threads with addresses.
 */
export function BranchPicker({ branches: { threads, current } }: { branches: Divergence }) {
  const { branches: strings } = useStrings();
  return (
    <nav className="branch-picker" aria-label={strings.label} data-testid="branches">
      <BranchLink thread={threads[current - 1]} label={strings.previous} />
      <span aria-hidden="true">
        {current + 1} / {threads.length}
      </span>
      <span className="visually-hidden">{strings.position(current + 1, threads.length)}</span>
      <BranchLink thread={threads[current + 1]} label={strings.next} />
    </nav>
  );
}

/** `thread` is undefined at the first and the last branch. */
function BranchLink({ thread, label }: { thread: ThreadId | undefined; label: string }) {
  if (thread === undefined) {
    return (
      <button type="button" className="button-icon" aria-label={label} disabled>
        <ChevronIcon />
      </button>
    );
  }
  return (
    <Link className="button-icon" href={threadPath(thread)} aria-label={label} title={label}>
      <ChevronIcon />
    </Link>
  );
}
