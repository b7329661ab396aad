import type { Api } from "../api/client";
import MemoryPage from "../memoryPage/MemoryPage";
import { useStrings } from "../strings";
import { TopBar } from "./TopBar";
import type { Layout } from "./useLayout";

type Props = { api: Api; layout: Layout; version: number; onChange: () => void };

export default function MemoryView({ api, layout, version, onChange }: Props) {
  const { memories } = useStrings();
  return (
    <>
      <TopBar title={memories.title} layout={layout}>
        {null}
      </TopBar>
      <MemoryPage api={api} version={version} onChange={onChange} />
    </>
  );
}
