import { useState } from "react";
import type { MemoryId } from "../api/types";
import { useStrings } from "../strings";
import { BookmarkIcon, CloseIcon, GlobeIcon } from "../ui/icons";
import { forgottenMemory, stepLabel, stepSubject, type ToolStep } from "./steps";
import "./steps.css";

type Undo = (memory: MemoryId) => Promise<unknown>;

type Props = {
  readonly steps: readonly ToolStep[];
  /** The memories that later steps have restored. */
  readonly restored: ReadonlySet<MemoryId>;
  readonly onUndo: Undo;
};

export function ToolSteps({ steps, ...props }: Props) {
  const { steps: strings } = useStrings();
  if (steps.length === 0) return null;
  return (
    <ul className="tool-steps" aria-label={strings.title} data-testid="tools">
      {steps.map((step) => (
        <StepItem key={step.id} step={step} {...props} />
      ))}
    </ul>
  );
}

type ItemProps = Omit<Props, "steps"> & { readonly step: ToolStep };

function StepItem({ step, restored, onUndo }: ItemProps) {
  const { steps: strings } = useStrings();
  const subject = stepSubject(step);
  const forgotten = forgottenMemory(step, restored);
  return (
    <li className="tool-step" data-state={step.state}>
      <StepIcon step={step} />
      <span className="tool-step-label">{stepLabel(strings, step)}</span>
      {subject !== "" && (
        <span className="tool-step-subject" title={subject}>
          {subject}
        </span>
      )}
      {forgotten !== null && <UndoButton onUndo={() => onUndo(forgotten)} />}
    </li>
  );
}

function UndoButton({ onUndo }: { onUndo: () => Promise<unknown> }) {
  const { actions, steps: strings } = useStrings();
  const [state, setState] = useState<"ready" | "done" | "failed">("ready");
  if (state !== "ready")
    return <span>{state === "done" ? strings.restored : strings.notRestored}</span>;
  const undo = () =>
    onUndo()
      .then(() => setState("done"))
      .catch(() => setState("failed"));
  return (
    <button type="button" className="button button-ghost button-small" onClick={() => void undo()}>
      {actions.undo}
    </button>
  );
}

function StepIcon({ step: { name, state } }: { step: ToolStep }) {
  if (state === "failed") return <CloseIcon />;
  return name === "web_search" ? <GlobeIcon /> : <BookmarkIcon />;
}
