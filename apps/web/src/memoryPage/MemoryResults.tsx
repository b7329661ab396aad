import type { Api } from "../api/client";
import type { Memory } from "../api/types";
import type { Memories } from "../memories/memories";
import { MemoryItem } from "../memories/MemoryItem";
import type { MemoryActions } from "../memories/useMemories";
import { useStrings } from "../strings";
import { LoadMore } from "./LoadMore";
import type { PageAddress } from "./pageAddress";
import { groupMemories } from "./sections";

type Props = { api: Api; address: PageAddress; memories: Memories; actions: MemoryActions };

/** The memories of the address: ranked for a query, otherwise in sections. */
export function MemoryResults({ api, address, memories, actions }: Props) {
  const { memories: strings, memoryPage } = useStrings();
  const { query, category, kind } = address;
  const items = memories.items.filter((it) => category === null || it.category === category);
  const list = (shown: readonly Memory[]) => (
    <MemoryList api={api} memories={shown} actions={actions} ranked={query !== ""} />
  );
  const filtered = [query || null, kind, category].some((value) => value !== null);
  const complete = memories.state !== "loading" && memories.cursor === null;
  return (
    <div aria-busy={memories.state === "loading"} className="memory-page-results">
      {complete && items.length === 0 && (
        <p className="memories-empty">{filtered ? strings.noMatch : strings.empty}</p>
      )}
      {query !== "" && items.length > 0 && (
        <section aria-label={memoryPage.closest}>
          <h2 className="memory-section-title">{memoryPage.closest}</h2>
          {list(items)}
        </section>
      )}
      {query === "" &&
        groupMemories(items).map((section) => (
          <section key={section.name} aria-label={memoryPage.categories[section.name]}>
            <h2 className="memory-section-title">{memoryPage.categories[section.name]}</h2>
            {list(section.memories)}
          </section>
        ))}
      {memories.cursor !== null && (
        <LoadMore key={memories.cursor} onLoad={() => void actions.showMore()} />
      )}
    </div>
  );
}

type ListProps = {
  api: Api;
  memories: readonly Memory[];
  actions: MemoryActions;
  ranked: boolean;
};

function MemoryList({ api, memories, actions, ranked }: ListProps) {
  return (
    <ul className="memories-list memory-page-list">
      {memories.map((memory) => (
        <MemoryItem
          key={memory.id}
          api={api}
          memory={memory}
          relevance={ranked ? memory.score : undefined}
          onNavigate={() => undefined}
          onEdit={(text) => actions.edit(memory.id, text)}
          onPin={(pinned) => void actions.setPinned(memory.id, pinned)}
          onDelete={() => actions.remove(memory.id)}
          onUndo={() => actions.undo(memory.id)}
        />
      ))}
    </ul>
  );
}
