import { useState } from "react";
import type { PendingMessage } from "../api/types";
import { useStrings } from "../strings";
import { ClockIcon } from "../ui/icons";

type Props = { message: PendingMessage; onWithdraw: () => Promise<void> };

/** Tells that a message is not yet saved to memory, with a button to keep it from being saved. */
export function PendingChip({ message, onWithdraw }: Props) {
  const { remembering: strings } = useStrings();
  const [withdrawing, setWithdrawing] = useState(false);
  const withdraw = () => {
    setWithdrawing(true);
    void onWithdraw().finally(() => setWithdrawing(false));
  };
  return (
    <li className="memory-chip" data-type="pending" data-testid="pending-chip">
      <ClockIcon />
      <span className="memory-chip-text">
        {message.set_aside ? strings.notSaved : strings.pending}
      </span>
      <button
        type="button"
        className="memory-chip-action"
        aria-label={strings.withdrawText(message.text)}
        title={strings.withdrawHint}
        disabled={withdrawing}
        onClick={withdraw}
      >
        {strings.withdraw}
      </button>
    </li>
  );
}
