import { useContext, type ComponentPropsWithoutRef } from "react";
import { useStrings } from "../strings";
import { BookmarkIcon } from "../ui/icons";
import { MarkSourcesContext } from "./MarkSourcesContext";

type Props = ComponentPropsWithoutRef<"mark"> & {
  "data-sources"?: string;
  "data-last"?: string;
};

/** A sentence with a source; the last piece of the sentence has a button that shows the source. */
export function Mark({ children, ...props }: Props) {
  const { answer: strings } = useStrings();
  const { sources, onShow } = useContext(MarkSourcesContext);
  const ids = props["data-sources"]?.split(" ") ?? [];
  const source = sources.find(({ id }) => ids.includes(id));
  if (source === undefined) return children;
  return (
    <mark className="markdown-mark" data-testid="mark">
      {children}
      {props["data-last"] && (
        <button
          type="button"
          className="markdown-mark-source"
          aria-label={strings.fromMemory(source.text)}
          title={strings.fromMemory(source.text)}
          onClick={() => onShow(source)}
        >
          <BookmarkIcon />
        </button>
      )}
    </mark>
  );
}
