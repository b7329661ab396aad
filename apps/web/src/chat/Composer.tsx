import { AuiIf } from "@assistant-ui/react";
import * as ComposerPrimitive from "@assistant-ui/react/primitives/composer";
import type { KeyboardEvent, ReactNode } from "react";
import type { RunOptions } from "../api/client";
import type { Config } from "../api/types";
import type { Drafts } from "../drafts/drafts";
import { useStrings } from "../strings";
import { SendIcon, StopIcon } from "../ui/icons";
import { useMediaQuery } from "../ui/useMediaQuery";
import { LengthCounter } from "./LengthCounter";
import { useDraft } from "./useDraft";
import { WebSearchToggle } from "./WebSearchToggle";
import "./composer.css";

type Props = {
  config: Config;
  options: RunOptions;
  onOptionsChange: (options: RunOptions) => void;
  stopping: boolean;
  memoryState: ReactNode;
  /** Null: texts are not stored. */
  drafts: Drafts | null;
  draftKey: string;
  onTooLong: (tooLong: boolean) => void;
};

/** While an answer is running, Enter would begin a new line, also right after sending. */
function ignoreEnterIfBlank(event: KeyboardEvent<HTMLTextAreaElement>) {
  const isEnter = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
  if (isEnter && event.currentTarget.value.trim() === "") event.preventDefault();
}

export function Composer({ config, options, onOptionsChange, stopping, ...props }: Props) {
  const { chat: strings } = useStrings();
  useDraft(props.drafts, props.draftKey);
  const hasPointer = useMediaQuery("(hover: hover)");
  return (
    <ComposerPrimitive.Root className="composer">
      <ComposerPrimitive.Input
        className="composer-input"
        data-message-input
        aria-label={strings.message}
        placeholder={strings.placeholder}
        dir="auto"
        rows={1}
        maxRows={10}
        autoFocus={hasPointer}
        unstable_insertNewlineOnTouchEnter
        onKeyDown={ignoreEnterIfBlank}
      />
      <div className="composer-footer">
        {props.memoryState}
        <WebSearchToggle
          support={config.web_search}
          enabled={options.web_search ?? false}
          onChange={(web_search) => onOptionsChange({ ...options, web_search })}
        />
        {config.models.length > 1 && (
          <select
            className="composer-model"
            aria-label={strings.model}
            value={options.model ?? config.models[0]}
            onChange={(event) => onOptionsChange({ ...options, model: event.target.value })}
          >
            {config.models.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        <LengthCounter onTooLong={props.onTooLong} />
        <span className="composer-send">
          <AuiIf condition={(state) => !state.thread.isRunning}>
            <ComposerPrimitive.Send className="button-round" aria-label={strings.send}>
              <SendIcon />
            </ComposerPrimitive.Send>
          </AuiIf>
          <AuiIf condition={(state) => state.thread.isRunning}>
            <ComposerPrimitive.Cancel
              className="button-round"
              aria-label={stopping ? strings.stopping : strings.stop}
              disabled={stopping}
            >
              <StopIcon />
            </ComposerPrimitive.Cancel>
          </AuiIf>
        </span>
      </div>
    </ComposerPrimitive.Root>
  );
}
