import type { Dispatch } from "react";
import type { Api } from "../api/client";
import type { ListedThread, ThreadId, ThreadUpdate } from "../api/types";
import { useStrings } from "../strings";
import { useToast } from "../ui/toast";
import type { Attempt } from "../ui/useAttempt";
import type { ThreadsAction } from "./threads";

type Refresh = () => Promise<boolean>;

/** Actions that change threads, in the list and in the archive. */
export function useThreadChanges(
  api: Api,
  attempt: Attempt,
  dispatch: Dispatch<ThreadsAction>,
  refresh: Refresh,
) {
  const { threads: strings } = useStrings();
  const toast = useToast();

  const update = (thread: ThreadId, changes: ThreadUpdate) =>
    attempt(async () => {
      await api.threads.update(thread, changes);
      dispatch({ type: "updated", thread, changes });
    });

  const setArchived = (thread: ThreadId, archived: boolean) =>
    attempt(async () => {
      await api.threads.update(thread, { archived });
      dispatch({ type: "removed", thread });
      await refresh();
    });

  return {
    rename: (thread: ThreadId, title: string) => update(thread, { title }),
    setPinned: (thread: ThreadId, pinned: boolean) => update(thread, { pinned }),
    setArchived: async ({ thread_id, archived }: ListedThread) => {
      if (!(await setArchived(thread_id, !archived))) return;
      toast({
        text: archived ? strings.unarchived : strings.archived,
        onUndo: () => setArchived(thread_id, archived),
      });
    },
    remove: (thread: ThreadId, forget: boolean) =>
      attempt(async () => {
        const forgotten = await api.threads.remove(thread, forget);
        dispatch({ type: "removed", thread });
        toast({ text: strings.deleted(forgotten) });
      }),
  };
}
