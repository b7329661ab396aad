import { useCallback } from "react";
import type { Api } from "../api/client";
import { useQuery } from "../ui/useQuery";

/** Whether memory is on, null until it is known; and a function to change it, which rejects if it fails. */
export function useMemoryEnabled(api: Api, version: number, onChange: () => void) {
  const { data } = useQuery(api.account.get, version);
  const setEnabled = useCallback(
    async (memory_enabled: boolean) => {
      await api.account.update({ memory_enabled });
      onChange();
    },
    [api, onChange],
  );
  return { enabled: data?.memory_enabled ?? null, setEnabled };
}
