import { useAui } from "@assistant-ui/react";
import * as ActionBarPrimitive from "@assistant-ui/react/primitives/actionBar";
import { useState } from "react";
import type { MessageFeedback } from "../api/types";
import { useStrings } from "../strings";
import { RefreshIcon, ThumbDownIcon, ThumbUpIcon } from "../ui/icons";
import { Menu, MenuItem } from "../ui/Menu";
import { useToast } from "../ui/toast";
import { CopyButton } from "./CopyButton";
import type { Message } from "./messages";
import { RatingReason } from "./RatingReason";
import { useThread } from "./ThreadContext";

const THUMBS = { up: ThumbUpIcon, down: ThumbDownIcon };

/** What can be done with a complete answer. */
export function AnswerActions({ message }: { message: Message }) {
  const strings = useStrings();
  const rate = useRating(message);
  const [asking, setAsking] = useState(false);
  const { savedId, feedback } = message;
  const change = (rating: MessageFeedback["rating"]) => {
    const removed = feedback?.rating === rating;
    setAsking(rating === "down" && !removed);
    void rate(removed ? null : { rating, reason: null });
  };
  return (
    <>
      <ActionBarPrimitive.Root className="message-actions message-action-bar">
        <CopyButton label={strings.chat.copyAnswer} />
        {savedId !== null &&
          (["up", "down"] as const).map((rating) => (
            <ThumbButton
              key={rating}
              rating={rating}
              pressed={feedback?.rating === rating}
              onClick={() => change(rating)}
            />
          ))}
        <Regenerate />
      </ActionBarPrimitive.Root>
      <ModelName name={message.model} />
      {asking && (
        <RatingReason
          onSend={(reason) => void rate({ rating: "down", reason })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

type ThumbProps = { rating: MessageFeedback["rating"]; pressed: boolean; onClick: () => void };

function ThumbButton({ rating, pressed, onClick }: ThumbProps) {
  const { rating: strings } = useStrings();
  const Icon = THUMBS[rating];
  return (
    <button
      type="button"
      className="button-icon"
      aria-label={strings[rating]}
      title={strings[rating]}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon />
    </button>
  );
}

/** The model that wrote the answer, unless there is no other. */
function ModelName({ name }: { name: string | null }) {
  const { answer: strings } = useStrings();
  const { models } = useThread();
  if (name === null || (models.length === 1 && models[0] === name)) return null;
  return (
    <span className="message-model" title={strings.writtenBy(name)} data-testid="model">
      {name}
    </span>
  );
}

/** Answer again in a new branch: with the chosen model, or with one from a menu if there are several. */
function Regenerate() {
  const { branches: strings } = useStrings();
  const { models } = useThread();
  const aui = useAui();
  const label = { "aria-label": strings.regenerate, title: strings.regenerate };
  if (models.length < 2) {
    return (
      <ActionBarPrimitive.Reload className="button-icon" {...label}>
        <RefreshIcon />
      </ActionBarPrimitive.Reload>
    );
  }
  return (
    <Menu
      trigger={
        <button type="button" className="button-icon" {...label}>
          <RefreshIcon />
        </button>
      }
    >
      {models.map((model) => (
        <MenuItem
          key={model}
          onSelect={() => aui.message().reload({ runConfig: { custom: { model } } })}
        >
          {strings.regenerateWith(model)}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** A function that rates the answer, and reports if that fails. */
function useRating(message: Message) {
  const { rating: strings } = useStrings();
  const { thread, onRate } = useThread();
  const toast = useToast();
  return (feedback: MessageFeedback | null) =>
    onRate(thread, message, feedback).catch(() => toast({ text: strings.failed }));
}
