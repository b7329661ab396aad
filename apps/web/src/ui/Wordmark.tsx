import { useStrings } from "../strings";

export function Wordmark() {
  return (
    <span className="wordmark">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M11 8h10a1 1 0 0 1 1 1v15.2l-6-4.4-6 4.4V9a1 1 0 0 1 1-1z" />
      </svg>
      {useStrings().app.name}
    </span>
  );
}
