import type { Api } from "../api/client";
import { CloseIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { useLoaded } from "../ui/useLoaded";
import { AddMemory } from "./AddMemory";
import { ForgetEverything } from "./ForgetEverything";
import { FormationLine } from "./FormationLine";
import { MemoryFilters } from "./MemoryFilters";
import { MemoryItem } from "./MemoryItem";
import { ProfileCard } from "./ProfileCard";
import { useMemories } from "./useMemories";
import "./memories.css";

type Props = { api: Api; version: number; onVisit: () => void; onClose: () => void };

/** Everything that Keepsake knows about the user, with where it comes from. */
export function MemoryPanel({ api, version, onVisit, onClose }: Props) {
  const { memories, dismiss, ...act } = useMemories(api, version);
  const { items, filter, state, problem, notice } = memories;
  const known = `${version} ${memories.changes}`;
  const { value: profile } = useLoaded(api.memories.profile, known);
  const { value: formation } = useLoaded(api.memories.formation, known);
  const narrowed = filter.query !== "" || filter.kind !== null;
  return (
    <div className="memories" data-testid="memory-panel">
      <header className="memories-head">
        <h2>Memory</h2>
        <button type="button" className="button-icon" aria-label="Close memory" onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      <MemoryFilters filter={filter} onFilter={act.narrow} />
      <FormationLine
        formation={formation}
        distilling={state === "distilling"}
        onDistil={() => void act.distil()}
      />
      <p className="memories-notice" role="status">
        {notice}
      </p>
      {problem && <Notice problem={problem} onDismiss={dismiss} />}
      <div className="memories-scroll" aria-busy={state === "loading"}>
        {profile && !narrowed && <ProfileCard profile={profile} />}
        {state !== "loading" && items.length === 0 && <Nothing narrowed={narrowed} />}
        <ul className="memories-list" aria-label="Memories">
          {items.map((memory) => (
            <MemoryItem
              key={memory.id}
              api={api}
              memory={memory}
              onVisit={onVisit}
              onEdit={(text) => act.edit(memory.id, text)}
              onDelete={() => act.remove(memory.id)}
              onUndo={() => act.undo(memory.id)}
            />
          ))}
        </ul>
        {memories.next !== null && (
          <button type="button" className="button button-quiet" onClick={() => void act.showMore()}>
            Show more
          </button>
        )}
      </div>
      <footer className="memories-foot">
        <div className="memories-acts">
          <AddMemory onAdd={act.add} />
          <ForgetEverything onForget={() => void act.removeAll()} />
        </div>
        {memories.on !== null && (
          <label className="check memories-switch">
            <input
              type="checkbox"
              role="switch"
              checked={memories.on}
              onChange={(event) => void act.turn(event.target.checked)}
            />
            {memories.on ? "Memory is on" : "Memory is paused: nothing is recalled or kept"}
          </label>
        )}
      </footer>
    </div>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  return (
    <p className="memories-none">
      {narrowed
        ? "No memory fits."
        : "Nothing is kept yet. What you say about yourself is distilled into memories a little after you said it, or when you press “Distil now”."}
    </p>
  );
}
