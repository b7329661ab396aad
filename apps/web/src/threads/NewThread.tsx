import { Link } from "wouter";
import { useStrings } from "../strings";
import { PlusIcon, TemporaryChatIcon } from "../ui/icons";
import { HOME_PATH, TEMPORARY_PATH } from "../routes";

/** Links to a new thread and to a new temporary chat. */
export function NewThread({ onNavigate }: { onNavigate: () => void }) {
  const strings = useStrings();
  return (
    <div className="threads-new-actions">
      <Link className="button button-ghost threads-new" href={HOME_PATH} onClick={onNavigate}>
        <PlusIcon />
        {strings.threads.newThread}
      </Link>
      <Link
        className="button button-ghost threads-new"
        href={TEMPORARY_PATH}
        title={strings.threads.temporaryHint}
        onClick={onNavigate}
      >
        <TemporaryChatIcon />
        {strings.threads.temporary}
      </Link>
    </div>
  );
}
