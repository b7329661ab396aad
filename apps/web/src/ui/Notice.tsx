import type { ReactNode } from "react";
import type { Problem } from "../api/types";
import { CloseIcon } from "./icons";

type Props = { problem: Problem; onDismiss?: () => void; children?: ReactNode };

/** An error notice; `children` are its actions. */
export function Notice({ problem, onDismiss, children }: Props) {
  return (
    <div className="notice" role="alert" data-testid="notice">
      <p className="notice-text">
        <strong>{problem.title}</strong> {problem.detail}
      </p>
      {children}
      {onDismiss && (
        <button type="button" className="button-icon" aria-label="Dismiss" onClick={onDismiss}>
          <CloseIcon />
        </button>
      )}
    </div>
  );
}
