import { hashOf, TEMPORARY_HASH } from "../url";
import { PlusIcon, TraceIcon } from "../ui/icons";

/** The two ways to begin: a thread that lasts, and one of which nothing does. */
export function NewThread({ onOpen }: { onOpen: () => void }) {
  return (
    <div className="threads-begin">
      <a className="button button-quiet threads-new" href={hashOf(null)} onClick={onOpen}>
        <PlusIcon />
        New thread
      </a>
      <a
        className="button button-quiet threads-new"
        href={TEMPORARY_HASH}
        title="A chat of which nothing is kept"
        onClick={onOpen}
      >
        <TraceIcon />
        Temporary<span className="visually-hidden"> chat</span>
      </a>
    </div>
  );
}
