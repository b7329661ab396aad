import { BookmarkIcon, CloseIcon, GlobeIcon } from "../ui/icons";
import { stepLabel, stepSubject, type ToolStep } from "./steps";
import "./steps.css";

export function ToolSteps({ steps }: { steps: readonly ToolStep[] }) {
  if (steps.length === 0) return null;
  return (
    <ul className="tool-steps" aria-label="Steps of this answer" data-testid="tools">
      {steps.map((step) => (
        <StepItem key={step.id} step={step} />
      ))}
    </ul>
  );
}

function StepItem({ step }: { step: ToolStep }) {
  const subject = stepSubject(step);
  return (
    <li className="tool-step" data-state={step.state}>
      <StepIcon step={step} />
      <span className="tool-step-label">{stepLabel(step)}</span>
      {subject !== "" && (
        <span className="tool-step-subject" title={subject}>
          {subject}
        </span>
      )}
    </li>
  );
}

function StepIcon({ step: { name, state } }: { step: ToolStep }) {
  if (state === "failed") return <CloseIcon />;
  return name === "web_search" ? <GlobeIcon /> : <BookmarkIcon />;
}
