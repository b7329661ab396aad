import { useAuiState } from "@assistant-ui/react";
import * as ActionBarPrimitive from "@assistant-ui/react/primitives/actionBar";
import { useStrings } from "../strings";
import { CheckIcon, CopyIcon } from "../ui/icons";

/** Copies the text of a message. */
export function CopyButton({ label }: { label: string }) {
  const { actions } = useStrings();
  const copied = useAuiState((state) => state.message.isCopied);
  return (
    <ActionBarPrimitive.Copy
      className="button-icon"
      aria-label={copied ? actions.copied : label}
      title={label}
    >
      {copied ? <CheckIcon /> : <CopyIcon />}
    </ActionBarPrimitive.Copy>
  );
}
