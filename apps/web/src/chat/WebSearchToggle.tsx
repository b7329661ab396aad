import { useId, useState } from "react";
import type { Config } from "../api/types";
import { GlobeIcon } from "../ui/icons";

type Props = {
  support: Config["web_search"];
  enabled: boolean;
  onChange: (enabled: boolean) => void;
};

/** Turns web search on for the next messages. If it is not available, a click shows the reason. */
export function WebSearchToggle({ support: { available, why }, enabled, onChange }: Props) {
  const [reasonVisible, setReasonVisible] = useState(false);
  const reasonId = useId();
  if (available) {
    return (
      <button
        type="button"
        className="button button-small composer-toggle"
        aria-pressed={enabled}
        title={enabled ? "Turn off web search" : "Turn on web search"}
        onClick={() => onChange(!enabled)}
      >
        <GlobeIcon />
        Web search
      </button>
    );
  }
  const reason = `Web search is not available${why === null ? "." : `: ${why}.`}`;
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
        Web search
      </button>
      <span id={reasonId} className={reasonVisible ? "composer-reason" : "visually-hidden"}>
        {reason}
      </span>
    </>
  );
}
