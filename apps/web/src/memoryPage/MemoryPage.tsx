import { Tabs } from "radix-ui";
import { lazy, Suspense } from "react";
import type { Api } from "../api/client";
import { AddMemory } from "../memories/AddMemory";
import { currentProblem } from "../memories/memories";
import { MemoryLimit } from "../memories/MemoryLimit";
import { ProfileCard } from "../memories/ProfileCard";
import { SaveStatus } from "../memories/SaveStatus";
import { useMemories } from "../memories/useMemories";
import { useStrings } from "../strings";
import { Notice } from "../ui/Notice";
import { useQuery } from "../ui/useQuery";
import { DataMenu } from "./DataMenu";
import { MemoryResults } from "./MemoryResults";
import { MemorySearch } from "./MemorySearch";
import { usePageAddress, VIEWS, type View } from "./pageAddress";
import "../memories/memories.css";
import "./memoryPage.css";

const Timeline = lazy(() => import("./Timeline"));
const MemoryMap = lazy(() => import("./MemoryMap"));

const PAGE_SIZE = 100;

type Props = { api: Api; version: number; onChange: () => void };

/** Everything that is known about the user: summary, memories, timeline and map. */
export default function MemoryPage({ api, version, onChange }: Props) {
  const { memoryPage: strings } = useStrings();
  const { address, filter, change } = usePageAddress();
  const { memories, actions } = useMemories(api, version, filter, PAGE_SIZE);
  const problem = currentProblem(memories);
  const dataVersion = `${version} ${memories.revision}`;
  const { data: profile } = useQuery(api.memories.profile, dataVersion);
  const { data: formation } = useQuery(api.memories.formation, dataVersion);
  const { data: limit } = useQuery(api.memories.limit, dataVersion);
  return (
    <div className="memory-page" data-testid="memory-page">
      <div className="memory-page-content">
        <header className="memory-page-header">
          <p className="memory-page-lead">{strings.lead}</p>
          <DataMenu api={api} onRemoveAll={() => void actions.removeAll()} onImport={onChange} />
        </header>
        {profile && <ProfileCard profile={profile} />}
        <div className="memory-page-status">
          <SaveStatus
            {...{ api, formation, onChange }}
            version={dataVersion}
            onNavigate={() => undefined}
            saving={memories.state === "flushing"}
            onSave={() => void actions.flush()}
          />
          <MemoryLimit limit={limit} onUndo={actions.undo} />
        </div>
        {problem && <Notice problem={problem} onDismiss={actions.dismissProblem} />}
        <Tabs.Root
          value={address.view}
          onValueChange={(view) => change({ view: view as View })}
          className="memory-page-views"
        >
          <Tabs.List className="tabs" aria-label={strings.lead}>
            {VIEWS.map((view) => (
              <Tabs.Trigger key={view} value={view} className="tab">
                {strings.views[view]}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content value="memories" tabIndex={-1}>
            <MemorySearch address={address} onChange={change} />
            <AddMemory onAdd={actions.add} />
            <MemoryResults api={api} address={address} memories={memories} actions={actions} />
          </Tabs.Content>
          <Tabs.Content value="timeline" tabIndex={-1}>
            <Suspense fallback={null}>
              <Timeline api={api} version={dataVersion} />
            </Suspense>
          </Tabs.Content>
          <Tabs.Content value="map" tabIndex={-1}>
            <Suspense fallback={null}>
              <MemoryMap
                api={api}
                version={dataVersion}
                query={address.query}
                onQueryChange={(query) => change({ query })}
              />
            </Suspense>
          </Tabs.Content>
        </Tabs.Root>
      </div>
    </div>
  );
}
