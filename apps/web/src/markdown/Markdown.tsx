import { memo, useDeferredValue, useMemo } from "react";
import ReactMarkdown, { type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import { splitBlocks } from "./blocks";
import { ELEMENTS } from "./elements";
import { GrowingContext } from "./GrowingContext";
import { normalizeMath } from "./math";
import { rehypeDirection } from "./rehypeDirection";
import { rehypeMarks, type FindSources } from "./rehypeMarks";
import "./markdown.css";

type Plugins = NonNullable<Options["remarkPlugins"]>;

type Props = {
  text: string;
  /** True while text is being added. */
  growing: boolean;
  /** Marks the sentences that have sources; null for none. */
  findSources: FindSources | null;
};

const REMARK_PLUGINS: Plugins = [remarkGfm, remarkMath];

/** Text as Markdown; raw HTML is shown as text. Each block is parsed once, except the last one. */
export function Markdown({ text, growing, findSources }: Props) {
  const deferredText = useDeferredValue(text);
  const source = useMemo(() => normalizeMath(deferredText), [deferredText]);
  const blocks = useMemo(() => splitBlocks(source), [source]);
  const rehypePlugins = useMemo<Plugins>(
    () => [rehypeDirection, ...(findSources === null ? [] : [() => rehypeMarks(findSources)])],
    [findSources],
  );
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        <GrowingContext key={index} value={growing && index === blocks.length - 1}>
          <Block text={block} rehypePlugins={rehypePlugins} />
        </GrowingContext>
      ))}
    </div>
  );
}

type BlockProps = { text: string; rehypePlugins: Plugins };

const Block = memo(function Block({ text, rehypePlugins }: BlockProps) {
  return (
    <ReactMarkdown
      remarkPlugins={REMARK_PLUGINS}
      rehypePlugins={rehypePlugins}
      components={ELEMENTS}
    >
      {text}
    </ReactMarkdown>
  );
});
