import { AuiIf, ComposerPrimitive } from "@assistant-ui/react";
import { SendIcon, StopIcon } from "../ui/icons";
import { useMediaQuery } from "../ui/useMediaQuery";
import "./composer.css";

type Props = {
  models: readonly string[];
  model: string | undefined;
  onModel: (model: string) => void;
  stopping: boolean;
};

export function Composer({ models, model, onModel, stopping }: Props) {
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
        {models.length > 1 && (
          <select
            className="composer-model"
            aria-label="Model"
            value={model}
            onChange={(event) => onModel(event.target.value)}
          >
            {models.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
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
      </div>
    </ComposerPrimitive.Root>
  );
}
