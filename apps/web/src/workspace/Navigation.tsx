import { lazy, Suspense, useState } from "react";
import { useLocation } from "wouter";
import type { Api } from "../api/client";
import type { ShortcutAction } from "../navigation/shortcuts";
import { useShortcuts } from "../navigation/useShortcuts";
import { HOME_PATH } from "../routes";
import type { Layout } from "./useLayout";

const CommandPalette = lazy(() => import("../navigation/CommandPalette"));
const ShortcutSheet = lazy(() => import("../navigation/ShortcutSheet"));

type Props = { api: Api; layout: Layout };

/** Keyboard shortcuts, and the dialogs that they open. */
export function Navigation({ api, layout }: Props) {
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const close = () => setOpen(null);
  const run: Readonly<Record<ShortcutAction, () => void>> = {
    palette: () => setOpen("palette"),
    help: () => setOpen("help"),
    newThread: () => navigate(HOME_PATH),
    memory: layout.memory.toggle,
    message: () => document.querySelector<HTMLElement>("[data-message-input]")?.focus(),
  };
  const act = (action: ShortcutAction) => run[action]();
  useShortcuts(act);
  return (
    <Suspense fallback={null}>
      {open === "palette" && <CommandPalette api={api} onAction={act} onClose={close} />}
      {open === "help" && <ShortcutSheet onClose={close} />}
    </Suspense>
  );
}
