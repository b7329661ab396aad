import { useId, useState } from "react";
import type { Config } from "../api/types";
import { useStrings } from "../strings";
import { GlobeIcon } from "../ui/icons";

type Props = {
  support: Config["web_search"];
  enabled: boolean;
  onChange: (enabled: boolean) => void;
};

/** Turns web search on for the next messages. If it is not available, a click shows the reason. */
export function WebSearchToggle({ support: { available, why }, enabled, onChange }: Props) {
  const { webSearch: strings } = useStrings().chat;
  const [reasonVisible, setReasonVisible] = useState(false);
  const reasonId = useId();
  if (available) {
    return (
      <button
        type="button"
        className="button button-small composer-toggle"
        aria-pressed={enabled}
        title={enabled ? strings.turnOff : strings.turnOn}
        onClick={() => onChange(!enabled)}
      >
        <GlobeIcon />
        <span className="composer-toggle-label">{strings.label}</span>
      </button>
    );
  }
  const reason = strings.unavailable(why);
  return (
    <>
      <button
        type="button"
        className="button button-small composer-toggle"
        aria-disabled="true"
        aria-describedby={reasonId}
        title={reason}
        onClick={() => setReasonVisible(!reasonVisible)}
        onBlur={() => setReasonVisible(false)}
      >
        <GlobeIcon />
        <span className="composer-toggle-label">{strings.label}</span>
      </button>
      <span id={reasonId} className={reasonVisible ? "composer-reason" : "visually-hidden"}>
        {reason}
      </span>
    </>
  );
}
