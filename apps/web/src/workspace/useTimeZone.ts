import { useEffect } from "react";
import type { Api } from "../api/client";

/** Store the browser's time zone in the account; an error is ignored until the next session. */
export function useTimeZone(api: Api) {
  useEffect(() => {
    const controller = new AbortController();
    storeTimeZone(api, controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [api]);
}

async function storeTimeZone({ account }: Api, signal: AbortSignal) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if ((await account.get(signal)).time_zone === timeZone) return;
  await account.update({ time_zone: timeZone }, signal);
}
