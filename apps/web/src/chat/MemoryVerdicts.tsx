import { useState } from "react";
import type { Memory } from "../api/types";
import { useStrings } from "../strings";
import { useToast } from "../ui/toast";
import { useRecall } from "./RecallContext";
import { useThread } from "./ThreadContext";

type Props = {
  memory: Memory;
  /** True if the memory is included for every message, so that it cannot be irrelevant. */
  standing: boolean;
};

/** What the user says about a memory that was used for an answer. */
export function MemoryVerdicts({ memory: { id, text }, standing }: Props) {
  const { recall: strings } = useStrings();
  const { onWrong } = useThread();
  const { answer } = useRecall();
  return (
    <span className="memory-verdicts">
      {!standing && answer !== null && <NotRelevant memory={id} text={text} answer={answer} />}
      <button
        type="button"
        className="button-link"
        aria-label={strings.wrongText(text)}
        onClick={() => onWrong(id, text, answer)}
      >
        {strings.wrong}
      </button>
    </span>
  );
}

type NotRelevantProps = { memory: Memory["id"]; text: string; answer: Memory["source_message"] };

function NotRelevant({ memory, text, answer }: NotRelevantProps) {
  const { recall: strings } = useStrings();
  const { api } = useThread();
  const toast = useToast();
  const [marked, setMarked] = useState(false);
  if (marked) return <span>{strings.markedNotRelevant}</span>;
  const mark = () =>
    api.memories.giveFeedback(memory, { verdict: "not_relevant", message: answer }).then(
      () => {
        setMarked(true);
        toast({ text: strings.notRelevantDone });
      },
      () => toast({ text: strings.notChanged }),
    );
  return (
    <button
      type="button"
      className="button-link"
      aria-label={strings.notRelevantText(text)}
      onClick={() => void mark()}
    >
      {strings.notRelevant}
    </button>
  );
}
