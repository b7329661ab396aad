import type { PendingMessage } from "../api/types";
import { useStrings } from "../strings";
import { ClockIcon } from "../ui/icons";
import { WithdrawButton } from "./WithdrawButton";

type Props = { message: PendingMessage; onWithdraw: () => Promise<void> };

/** Tells that a message is not yet saved to memory, with a button to keep it from being saved. */
export function PendingChip({ message, onWithdraw }: Props) {
  const { remembering: strings } = useStrings();
  return (
    <li className="memory-chip" data-type="pending" data-testid="pending-chip">
      <ClockIcon />
      <span className="memory-chip-text">
        {message.set_aside ? strings.notSaved : strings.pending}
      </span>
      <WithdrawButton className="memory-chip-action" {...{ message, onWithdraw }} />
    </li>
  );
}
