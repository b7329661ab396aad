import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect, useRef, useState } from "react";
import type { Drafts } from "../drafts/drafts";

/** Keep the composer's text in the drafts, and restore it when the thread is opened. */
export function useDraft(drafts: Drafts | null, key: string): void {
  const aui = useAui();
  const text = useAuiState((state) => state.composer.text);
  const [saved] = useState(() => drafts?.load(key) ?? "");
  const restored = useRef(false);
  const changed = useRef(false);

  useEffect(() => {
    if (restored.current || saved === "") return;
    restored.current = true;
    aui.composer().setText(saved);
  }, [aui, saved]);

  // The composer is empty until the draft is restored.
  useEffect(() => {
    changed.current ||= text !== "";
    if (changed.current) drafts?.save(key, text);
  }, [drafts, key, text]);
}
