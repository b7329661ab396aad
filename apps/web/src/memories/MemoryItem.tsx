import { useState } from "react";
import type { Api } from "../api/client";
import type { Memory } from "../api/types";
import { useStrings } from "../strings";
import { ClockIcon, PencilIcon, PinIcon, TrashIcon } from "../ui/icons";
import { differingQuote } from "../ui/quote";
import { SourceDate } from "../ui/SourceDate";
import { isAlwaysIncluded } from "./memories";
import { MemoryHistory } from "./MemoryHistory";

type Props = {
  api: Api;
  memory: Memory;
  /** Cosine similarity to a search; undefined: it is not shown. */
  relevance?: number | undefined;
  onNavigate: () => void;
  onPin: (pinned: boolean) => void;
  onDelete: () => void;
  /** These resolve to true if the action succeeded. */
  onEdit: (text: string) => Promise<boolean>;
  onUndo: () => Promise<boolean>;
};

export function MemoryItem({
  api,
  memory,
  relevance,
  onNavigate,
  onPin,
  onEdit,
  onDelete,
  onUndo,
}: Props) {
  const { memories: strings } = useStrings();
  const [mode, setMode] = useState<"view" | "edit" | "history">("view");
  const quote = differingQuote(memory.text, memory.quote);
  const showView = () => setMode("view");
  const save = async (text: string) => {
    if (text === memory.text || (await onEdit(text))) showView();
  };
  return (
    <li className="memory" data-testid="memory">
      {mode === "edit" ? (
        <EditMemory text={memory.text} onSave={save} onCancel={showView} />
      ) : (
        <p className="memory-text" dir="auto">
          {memory.text}
        </p>
      )}
      {quote !== null && (
        <blockquote className="memory-quote" dir="auto">
          “{quote}”
        </blockquote>
      )}
      {memory.reported_by !== null && (
        <Reported
          text={memory.text}
          client={memory.reported_by}
          onConfirm={() => void onEdit(memory.text)}
        />
      )}
      {mode === "history" && (
        <MemoryHistory api={api} memory={memory} onUndo={onUndo} onClose={showView} />
      )}
      {mode === "view" && (
        <div className="memory-footer">
          <Source memory={memory} onNavigate={onNavigate} />
          {relevance !== undefined && <Relevance score={relevance} />}
          <button
            type="button"
            className="button-icon"
            aria-label={memory.pinned ? strings.unpin(memory.text) : strings.pin(memory.text)}
            aria-pressed={memory.pinned}
            title={strings.alwaysInclude}
            onClick={() => onPin(!memory.pinned)}
          >
            <PinIcon />
          </button>
          <button
            type="button"
            className="button-icon"
            aria-label={strings.history(memory.text)}
            onClick={() => setMode("history")}
          >
            <ClockIcon />
          </button>
          <button
            type="button"
            className="button-icon"
            aria-label={strings.edit(memory.text)}
            onClick={() => setMode("edit")}
          >
            <PencilIcon />
          </button>
          <button
            type="button"
            className="button-icon"
            aria-label={strings.delete(memory.text)}
            onClick={onDelete}
          >
            <TrashIcon />
          </button>
        </div>
      )}
    </li>
  );
}

function Source({ memory, onNavigate }: { memory: Memory; onNavigate: () => void }) {
  const { memories: strings } = useStrings();
  const { kind, source_thread, ts } = memory;
  return (
    <p className="memory-source">
      {strings.kinds[kind]} · <SourceDate thread={source_thread} ts={ts} onNavigate={onNavigate} />
      {isAlwaysIncluded(memory) && <span className="memory-standing">{strings.always}</span>}
    </p>
  );
}

type ReportedProps = { text: string; client: string; onConfirm: () => void };

/** The application that reported a memory, until the user confirms it. */
function Reported({ text, client, onConfirm }: ReportedProps) {
  const { memories: strings } = useStrings();
  return (
    <p className="memory-reported">
      {strings.reportedBy(client)}
      <button
        type="button"
        className="button-link"
        aria-label={strings.confirmText(text)}
        title={strings.confirmHint}
        onClick={onConfirm}
      >
        {strings.confirm}
      </button>
    </p>
  );
}

function Relevance({ score }: { score: number }) {
  const percent = Math.round(Math.max(score, 0) * 100);
  return (
    <meter
      className="memory-relevance"
      min={0}
      max={100}
      value={percent}
      aria-label={useStrings().memoryPage.relevance(percent)}
      title={useStrings().memoryPage.relevance(percent)}
    />
  );
}

type EditProps = { text: string; onSave: (text: string) => Promise<void>; onCancel: () => void };

function EditMemory({ text, onSave, onCancel }: EditProps) {
  const { actions, memories: strings } = useStrings();
  const [draft, setDraft] = useState(text);
  const save = () => void onSave(draft.trim());
  return (
    <form
      className="memory-edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        className="field"
        aria-label={strings.text}
        rows={3}
        value={draft}
        autoFocus
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          onCancel();
        }}
      />
      <div className="memory-actions">
        <button type="button" className="button button-small" onClick={onCancel}>
          {actions.cancel}
        </button>
        <button className="button button-small button-primary" disabled={draft.trim() === ""}>
          {actions.save}
        </button>
      </div>
    </form>
  );
}
