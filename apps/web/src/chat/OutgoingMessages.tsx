import { useAui, useAuiState } from "@assistant-ui/react";
import { localizeProblem, useStrings } from "../strings";
import type { Outgoing } from "./chat";

type Props = {
  messages: readonly Outgoing[];
  onResend: (message: Outgoing) => void;
  onWithdraw: (message: Outgoing) => void;
};

/** The messages that the gateway does not have yet: waiting for the network, or rejected. */
export function OutgoingMessages({ messages, onResend, onWithdraw }: Props) {
  const strings = useStrings();
  const aui = useAui();
  const composerIsEmpty = useAuiState((state) => state.composer.isEmpty);
  const edit = (message: Outgoing) => {
    onWithdraw(message);
    aui.composer().setText(message.text);
  };
  return messages.map((message, index) => (
    <div key={message.id} className="message-outgoing" data-testid="outgoing">
      <article className="message message-user" aria-label={strings.chat.you}>
        <p className="message-text" dir="auto">
          {message.text}
        </p>
      </article>
      <p className="message-outgoing-note" role="status">
        <OutgoingState message={message} first={index === 0} />
      </p>
      <div className="message-outgoing-actions">
        {message.problem && (
          <button type="button" className="button button-small" onClick={() => onResend(message)}>
            {strings.actions.tryAgain}
          </button>
        )}
        {composerIsEmpty && (
          <button
            type="button"
            className="button button-ghost button-small"
            onClick={() => edit(message)}
          >
            {strings.outgoing.edit}
          </button>
        )}
      </div>
    </div>
  ));
}

function OutgoingState({ message: { problem }, first }: { message: Outgoing; first: boolean }) {
  const strings = useStrings();
  if (problem === null) return first ? strings.outgoing.waiting : strings.outgoing.queued;
  const { title, detail } = localizeProblem(strings, problem);
  return (
    <span className="message-outgoing-problem">
      <strong>{title}</strong> {detail}
    </span>
  );
}
