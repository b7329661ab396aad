import { lazy, Suspense } from "react";
import type { Api } from "../api/client";
import { useStrings } from "../strings";
import { Sidebar } from "./Sidebar";
import type { Layout } from "./useLayout";

const MemoryPanel = lazy(() => import("../memories/MemoryPanel"));

type Props = { api: Api; version: number; layout: Layout; onChange: () => void };

export function MemorySidebar({ api, version, layout, onChange }: Props) {
  const { memory, closeDrawers } = layout;
  const strings = useStrings();
  return (
    <Sidebar
      label={strings.workspace.memory}
      side="end"
      docked={memory.docked}
      onClose={memory.close}
    >
      <Suspense fallback={null}>
        <MemoryPanel
          api={api}
          version={version}
          onNavigate={closeDrawers}
          onClose={memory.close}
          onChange={onChange}
        />
      </Suspense>
    </Sidebar>
  );
}
