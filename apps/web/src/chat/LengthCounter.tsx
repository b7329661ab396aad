import { useAuiState } from "@assistant-ui/react";
import { useEffect } from "react";
import { useFormat, useStrings } from "../strings";
import { countCharacters, MAX_CHARACTERS } from "./textLength";

/** The counter appears above this share of the limit. */
const VISIBLE_SHARE = 0.9;

/** The length of the composer's text, shown if it is close to the limit or above it. */
export function LengthCounter({ onTooLong }: { onTooLong: (tooLong: boolean) => void }) {
  const { outgoing: strings } = useStrings();
  const format = useFormat();
  const count = useAuiState((state) => countCharacters(state.composer.text));
  const tooLong = count > MAX_CHARACTERS;
  useEffect(() => onTooLong(tooLong), [onTooLong, tooLong]);

  const visible = count > MAX_CHARACTERS * VISIBLE_SHARE;
  const numbers = [format.number(count), format.number(MAX_CHARACTERS)] as const;
  return (
    <>
      {visible && (
        <span className="composer-length" data-too-long={tooLong} data-testid="length">
          {strings.length(...numbers)}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {tooLong && strings.tooLong(...numbers)}
      </span>
    </>
  );
}
