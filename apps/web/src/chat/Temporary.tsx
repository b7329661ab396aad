import { TraceIcon } from "../ui/icons";
import "./temporary.css";

/** Says that nothing of this thread is kept. `onEnd` is null before anything is said in it. */
export function Temporary({ onEnd }: { onEnd: (() => void) | null }) {
  return (
    <aside className="temporary" aria-label="Temporary chat" data-testid="temporary">
      <TraceIcon />
      <p className="temporary-text">
        <strong>Temporary chat.</strong> Nothing is remembered or recalled here. It is in no list,
        and gone an hour after its last message.
      </p>
      {onEnd && (
        <button type="button" className="button button-small" onClick={onEnd}>
          End it now
        </button>
      )}
    </aside>
  );
}
