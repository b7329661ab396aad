import { useState } from "react";
import { useMediaQuery } from "../ui/useMediaQuery";

export type Layout = ReturnType<typeof useLayout>;

/** Which sidebars are visible. Wide windows have room for them beside the chat; in others, they are drawers. */
export function useLayout() {
  const [threadsOpen, setThreadsOpen] = useState(false);
  const [memoryOpen, setMemoryOpen] = useState(false);
  const threadsDocked = useMediaQuery("(min-width: 56rem)");
  const memoryDocked = useMediaQuery("(min-width: 76rem)");
  return {
    threads: {
      docked: threadsDocked,
      visible: threadsDocked || threadsOpen,
      open: () => setThreadsOpen(true),
      close: () => setThreadsOpen(false),
    },
    memory: {
      docked: memoryDocked,
      visible: memoryOpen,
      toggle: () => setMemoryOpen(!memoryOpen),
      close: () => setMemoryOpen(false),
    },
    closeDrawers: () => {
      setThreadsOpen(false);
      if (!memoryDocked) setMemoryOpen(false);
    },
  };
}
