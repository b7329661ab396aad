import { useState } from "react";
import { Link } from "wouter";
import type { Api, MemoryFilter } from "../api/client";
import { MEMORY_PATH } from "../routes";
import { useStrings } from "../strings";
import { CloseIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { useQuery } from "../ui/useQuery";
import { AddMemory } from "./AddMemory";
import { DeleteAllMemories } from "./DeleteAllMemories";
import { MemoryFilters } from "./MemoryFilters";
import { MemoryItem } from "./MemoryItem";
import { currentProblem } from "./memories";
import { MemoryLimit } from "./MemoryLimit";
import { ProfileCard } from "./ProfileCard";
import { SaveStatus } from "./SaveStatus";
import { useMemories } from "./useMemories";
import "./memories.css";

type Props = {
  api: Api;
  version: number;
  onNavigate: () => void;
  onClose: () => void;
  /** Called when something was changed that is shown elsewhere too. */
  onChange: () => void;
};

export default function MemoryPanel({ api, version, onNavigate, onClose, onChange }: Props) {
  const { memories: strings } = useStrings();
  const [filter, setFilter] = useState<MemoryFilter>({ kind: null, query: "" });
  const { memories, actions } = useMemories(api, version, filter);
  const { items, state, enabled } = memories;
  const problem = currentProblem(memories);
  const dataVersion = `${version} ${memories.revision}`;
  const { data: profile } = useQuery(api.memories.profile, dataVersion);
  const { data: formation } = useQuery(api.memories.formation, dataVersion);
  const { data: limit } = useQuery(api.memories.limit, dataVersion);
  const filtered = filter.query !== "" || filter.kind !== null;
  return (
    <div className="memories" data-testid="memory-panel">
      <header className="memories-header">
        <h2>{strings.title}</h2>
        <Link className="button button-ghost button-small" href={MEMORY_PATH} onClick={onNavigate}>
          {strings.openPage}
        </Link>
        <button type="button" className="button-icon" aria-label={strings.close} onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      <MemoryFilters filter={filter} onChange={setFilter} />
      <SaveStatus
        {...{ api, formation, onNavigate, onChange }}
        version={dataVersion}
        saving={state === "flushing"}
        onSave={() => void actions.flush()}
      />
      {problem && <Notice problem={problem} onDismiss={actions.dismissProblem} />}
      <div className="memories-scroll" aria-busy={state === "loading"}>
        {profile && !filtered && <ProfileCard profile={profile} />}
        {!filtered && <MemoryLimit limit={limit} onUndo={actions.undo} />}
        {state !== "loading" && items.length === 0 && <EmptyState filtered={filtered} />}
        <ul className="memories-list" aria-label={strings.list}>
          {items.map((memory) => (
            <MemoryItem
              key={memory.id}
              api={api}
              memory={memory}
              onNavigate={onNavigate}
              onEdit={(text) => actions.edit(memory.id, text)}
              onPin={(pinned) => void actions.setPinned(memory.id, pinned)}
              onDelete={() => actions.remove(memory.id)}
              onUndo={() => actions.undo(memory.id)}
            />
          ))}
        </ul>
        {memories.cursor !== null && (
          <button
            type="button"
            className="button button-ghost"
            onClick={() => void actions.showMore()}
          >
            {strings.showMore}
          </button>
        )}
      </div>
      <footer className="memories-footer">
        <div className="memories-actions">
          <AddMemory onAdd={actions.add} />
          <DeleteAllMemories onDelete={() => void actions.removeAll()} />
        </div>
        {enabled !== null && (
          <MemorySwitch
            enabled={enabled}
            onChange={(enabled) => void actions.setEnabled(enabled).then(onChange)}
          />
        )}
      </footer>
    </div>
  );
}

type SwitchProps = { enabled: boolean; onChange: (enabled: boolean) => void };

function MemorySwitch({ enabled, onChange }: SwitchProps) {
  const { memories: strings } = useStrings();
  return (
    <label className="checkbox memories-switch">
      <input
        type="checkbox"
        role="switch"
        checked={enabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {enabled ? strings.enabled : strings.paused}
    </label>
  );
}

function EmptyState({ filtered }: { filtered: boolean }) {
  const { memories: strings } = useStrings();
  return <p className="memories-empty">{filtered ? strings.noMatch : strings.empty}</p>;
}
