import { useState } from "react";
import { useStrings } from "../strings";
import { CheckIcon, CopyIcon } from "../ui/icons";

/** A text in a box with a copy button. */
export function CopyField({ text, label }: { text: string; label?: string }) {
  const { actions } = useStrings();
  const [copied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <div className="copy-field">
      <pre tabIndex={0} dir="ltr">
        {text}
      </pre>
      <button
        type="button"
        className="button-icon"
        aria-label={copied ? actions.copied : (label ?? actions.copy)}
        onClick={copy}
        onBlur={() => setCopied(false)}
      >
        {copied ? <CheckIcon /> : <CopyIcon />}
      </button>
    </div>
  );
}
