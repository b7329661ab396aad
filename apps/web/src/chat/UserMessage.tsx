import { getExternalStoreMessages, useAuiState } from "@assistant-ui/react";
import * as ActionBarPrimitive from "@assistant-ui/react/primitives/actionBar";
import * as MessagePrimitive from "@assistant-ui/react/primitives/message";
import { MemoryChips } from "../remembering/MemoryChips";
import { useStrings } from "../strings";
import { PencilIcon } from "../ui/icons";
import { BranchPicker } from "./BranchPicker";
import { CopyButton } from "./CopyButton";
import { EditMessage } from "./EditMessage";
import type { Message } from "./messages";
import { useThread } from "./ThreadContext";
import "./messageActions.css";

export function UserMessage() {
  const { chips, pending, onUndo, onWithdraw } = useThread();
  const { chat: strings } = useStrings();
  const editing = useAuiState((state) => state.message.composer.isEditing);
  const message = useAuiState((state) => getExternalStoreMessages<Message>(state.message)[0]);
  if (message === undefined) return null;
  if (editing) return <EditMessage />;
  return (
    <div className="message-question">
      <MessagePrimitive.Root
        className="message message-user"
        role="article"
        aria-label={strings.you}
        data-testid="question"
      >
        <MessagePrimitive.Parts components={{ Text: PlainText }} />
      </MessagePrimitive.Root>
      <div className="message-actions message-question-actions">
        <ActionBarPrimitive.Root className="message-action-bar" hideWhenRunning>
          <CopyButton label={strings.copyMessage} />
          <EditButton />
        </ActionBarPrimitive.Root>
        {message.branches && <BranchPicker branches={message.branches} />}
        <MemoryChips
          chips={chips.get(message.id) ?? []}
          pending={pending.get(message.id) ?? null}
          onUndo={onUndo}
          onWithdraw={onWithdraw}
        />
      </div>
    </div>
  );
}

function EditButton() {
  const { branches: strings } = useStrings();
  return (
    <ActionBarPrimitive.Edit className="button-icon" aria-label={strings.edit} title={strings.edit}>
      <PencilIcon />
    </ActionBarPrimitive.Edit>
  );
}

function PlainText({ text }: { text: string }) {
  return (
    <p className="message-text" dir="auto">
      {text}
    </p>
  );
}
