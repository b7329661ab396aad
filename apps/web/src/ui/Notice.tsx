import type { ReactNode } from "react";
import type { Problem } from "../api/types";
import { localizeProblem, useStrings } from "../strings";
import { CloseIcon } from "./icons";

type Props = { problem: Problem; onDismiss?: () => void; children?: ReactNode };

/** An error notice; `children` are its actions. */
export function Notice({ problem, onDismiss, children }: Props) {
  const strings = useStrings();
  const { title, detail } = localizeProblem(strings, problem);
  return (
    <div className="notice" role="alert" data-testid="notice">
      <p className="notice-text" dir="auto">
        <strong>{title}</strong> {detail}
      </p>
      {children}
      {onDismiss && (
        <button
          type="button"
          className="button-icon"
          aria-label={strings.actions.dismiss}
          onClick={onDismiss}
        >
          <CloseIcon />
        </button>
      )}
    </div>
  );
}
