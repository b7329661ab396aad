import { useId, useState } from "react";
import type { Config } from "../api/types";
import { GlobeIcon } from "../ui/icons";

type Props = { offer: Config["web_search"]; on: boolean; onTurn: (on: boolean) => void };

/** Lets the next answers search the web. Where nothing can, it stays in reach, and says why. */
export function WebSearch({ offer: { available, why }, on, onTurn }: Props) {
  const [asked, setAsked] = useState(false);
  const reason = useId();
  if (available) {
    return (
      <button
        type="button"
        className="button button-small composer-toggle"
        aria-pressed={on}
        title={on ? "Answers may search the web" : "Let answers search the web"}
        onClick={() => onTurn(!on)}
      >
        <GlobeIcon />
        Web search
      </button>
    );
  }
  const words = `Web search is not available${why === null ? "." : `: ${why}.`}`;
  return (
    <>
      <button
        type="button"
        className="button button-small composer-toggle"
        aria-disabled="true"
        aria-describedby={reason}
        title={words}
        onClick={() => setAsked(!asked)}
        onBlur={() => setAsked(false)}
      >
        <GlobeIcon />
        Web search
      </button>
      <span id={reason} className={asked ? "composer-why" : "visually-hidden"}>
        {words}
      </span>
    </>
  );
}
