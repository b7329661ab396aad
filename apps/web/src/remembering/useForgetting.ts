import { useCallback, useState } from "react";
import type { Api } from "../api/client";
import type { MemoryId, MessageId } from "../api/types";
import { useStrings } from "../strings";
import { useToast } from "../ui/toast";

/** Longer than the toast with the undo button is shown. */
const DELAY_MS = 11_000;

/**
 * Forget memories with time to undo: deleting is permanent, so that it starts when undoing is no
 * longer offered, or when the page is closed.
 *
 * @returns `forgotten`: the memories that are not to be shown any more; `retire`: move a memory that is wrong to
 * history, which can be undone.
 */
export function useForgetting(api: Api, onChange: () => void) {
  const { recall: strings } = useStrings();
  const showToast = useToast();
  const [forgotten, setForgotten] = useState<ReadonlySet<MemoryId>>(new Set());

  const forget = useCallback(
    (memory: MemoryId, text: string) => {
      const restore = () => setForgotten((ids) => new Set([...ids].filter((id) => id !== memory)));
      const cancel = runLater(() => {
        api.memories.remove(memory).then(onChange, () => {
          restore();
          showToast({ text: strings.notForgotten });
        });
      });
      setForgotten((ids) => new Set([...ids, memory]));
      showToast({
        text: strings.forgotten(text),
        onUndo: () => {
          cancel();
          restore();
        },
      });
    },
    [api, onChange, showToast, strings],
  );

  const retire = useCallback(
    async (memory: MemoryId, text: string, message: MessageId | null) => {
      const restore = async () => {
        await api.memories.undo(memory);
        setForgotten((ids) => new Set([...ids].filter((id) => id !== memory)));
        onChange();
      };
      try {
        await api.memories.giveFeedback(memory, { verdict: "wrong", message });
      } catch {
        return showToast({ text: strings.notChanged });
      }
      setForgotten((ids) => new Set([...ids, memory]));
      onChange();
      showToast({
        text: strings.retired(text),
        onUndo: () => restore().catch(() => showToast({ text: strings.notChanged })),
      });
    },
    [api, onChange, showToast, strings],
  );
  return {
    forgotten,
    forget,
    retire: useCallback((...memory: Parameters<typeof retire>) => void retire(...memory), [retire]),
  };
}

/** Run an action after the delay, or when the page is closed. Returns: a function that cancels it. */
function runLater(action: () => void): () => void {
  const cancel = () => {
    clearTimeout(timer);
    window.removeEventListener("pagehide", run);
  };
  const run = () => {
    cancel();
    action();
  };
  const timer = setTimeout(run, DELAY_MS);
  window.addEventListener("pagehide", run);
  return cancel;
}
