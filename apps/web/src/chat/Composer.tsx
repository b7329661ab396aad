import { AuiIf, ComposerPrimitive } from "@assistant-ui/react";
import type { Choices } from "../api/client";
import type { Config } from "../api/types";
import { SendIcon, StopIcon } from "../ui/icons";
import { useMediaQuery } from "../ui/useMediaQuery";
import { WebSearch } from "./WebSearch";
import "./composer.css";

type Props = {
  config: Config;
  choices: Choices;
  onChoose: (choices: Choices) => void;
  stopping: boolean;
};

export function Composer({ config, choices, onChoose, stopping }: Props) {
  const pointing = useMediaQuery("(hover: hover)");
  return (
    <ComposerPrimitive.Root className="composer">
      <ComposerPrimitive.Input
        className="composer-input"
        aria-label="Message"
        placeholder="Write to Keepsake"
        rows={1}
        maxRows={10}
        autoFocus={pointing}
        unstable_insertNewlineOnTouchEnter
      />
      <div className="composer-foot">
        <WebSearch
          offer={config.web_search}
          on={choices.web_search ?? false}
          onTurn={(web_search) => onChoose({ ...choices, web_search })}
        />
        {config.models.length > 1 && (
          <select
            className="composer-model"
            aria-label="Model"
            value={choices.model}
            onChange={(event) => onChoose({ ...choices, model: event.target.value })}
          >
            {config.models.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        <span className="composer-send">
          <AuiIf condition={(state) => !state.thread.isRunning}>
            <ComposerPrimitive.Send className="button-round" aria-label="Send">
              <SendIcon />
            </ComposerPrimitive.Send>
          </AuiIf>
          <AuiIf condition={(state) => state.thread.isRunning}>
            <ComposerPrimitive.Cancel
              className="button-round"
              aria-label={stopping ? "Stopping" : "Stop"}
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
