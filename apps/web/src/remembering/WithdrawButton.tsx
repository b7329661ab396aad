import { useState } from "react";
import type { PendingMessage } from "../api/types";
import { useStrings } from "../strings";

type Props = { message: PendingMessage; className: string; onWithdraw: () => Promise<void> };

/** Keeps a message from being saved to memory. */
export function WithdrawButton({ message, className, onWithdraw }: Props) {
  const { remembering: strings } = useStrings();
  const [withdrawing, setWithdrawing] = useState(false);
  const withdraw = () => {
    setWithdrawing(true);
    void onWithdraw().finally(() => setWithdrawing(false));
  };
  return (
    <button
      type="button"
      className={className}
      aria-label={strings.withdrawText(message.text)}
      title={strings.withdrawHint}
      disabled={withdrawing}
      onClick={withdraw}
    >
      {strings.withdraw}
    </button>
  );
}
