import { PlusIcon, TemporaryChatIcon } from "../ui/icons";
import { TEMPORARY_HASH, threadHash } from "../url";

/** Links to a new thread and to a new temporary chat. */
export function NewThread({ onNavigate }: { onNavigate: () => void }) {
  return (
    <div className="threads-new-actions">
      <a className="button button-ghost threads-new" href={threadHash(null)} onClick={onNavigate}>
        <PlusIcon />
        New thread
      </a>
      <a
        className="button button-ghost threads-new"
        href={TEMPORARY_HASH}
        title="A chat that is not remembered"
        onClick={onNavigate}
      >
        <TemporaryChatIcon />
        Temporary<span className="visually-hidden"> chat</span>
      </a>
    </div>
  );
}
