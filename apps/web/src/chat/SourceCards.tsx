import type { WebSource } from "../api/types";
import { useStrings } from "../strings";
import { hostOf } from "./sources";
import "./sources.css";

/** The web pages that a search found for an answer. */
export function SourceCards({ sources }: { sources: readonly WebSource[] }) {
  const { sources: strings } = useStrings();
  return (
    <ul className="sources" aria-label={strings.label} data-testid="sources">
      {sources.map(({ url, title, text }) => (
        <li key={url}>
          <a className="source" href={url} target="_blank" rel="noopener noreferrer nofollow">
            <span className="source-host" dir="ltr">
              {hostOf(url)}
            </span>
            <span className="source-title" dir="auto">
              {title || url}
            </span>
            {text !== "" && (
              <span className="source-text" dir="auto">
                {text}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
