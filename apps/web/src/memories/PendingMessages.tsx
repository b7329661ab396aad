import type { Api } from "../api/client";
import type { PendingMessage } from "../api/types";
import { useWithdraw } from "../remembering/useWithdraw";
import { WithdrawButton } from "../remembering/WithdrawButton";
import { useStrings } from "../strings";
import { Notice } from "../ui/Notice";
import { SourceDate } from "../ui/SourceDate";
import { useQuery } from "../ui/useQuery";

type Props = { api: Api; version: string; onNavigate: () => void; onChange: () => void };

/** The messages that are not yet saved to memory; each can be withdrawn. */
export default function PendingMessages({ api, version, onNavigate, onChange }: Props) {
  const { remembering: strings } = useStrings();
  const { data: messages, problem } = useQuery(api.memories.inbox, version);
  const withdraw = useWithdraw(api, onChange);
  return (
    <div aria-busy={messages === null}>
      {problem && <Notice problem={problem} />}
      <ul className="pending-messages" aria-label={strings.pending} data-testid="pending">
        {messages?.map((message) => (
          <PendingItem
            key={message.message}
            message={message}
            onNavigate={onNavigate}
            onWithdraw={() => withdraw(message.message)}
          />
        ))}
      </ul>
    </div>
  );
}

type ItemProps = {
  message: PendingMessage;
  onNavigate: () => void;
  onWithdraw: () => Promise<void>;
};

function PendingItem({ message, onNavigate, onWithdraw }: ItemProps) {
  const { remembering: strings } = useStrings();
  const { text, thread, ts, set_aside } = message;
  return (
    <li className="pending-message">
      <p className="pending-message-text" dir="auto">
        {text}
      </p>
      <span className="pending-message-source">
        <SourceDate thread={thread} ts={ts} onNavigate={onNavigate} />
        {set_aside && ` · ${strings.setAside}`}
      </span>
      <WithdrawButton className="button button-small" {...{ message, onWithdraw }} />
    </li>
  );
}
