import type { MemoryFilter } from "../api/client";
import type { MemoryKind } from "../api/types";
import { SearchField } from "../ui/SearchField";

const KINDS: readonly [kind: MemoryKind | null, label: string][] = [
  [null, "All"],
  ["user", "Facts"],
  ["procedural", "Instructions"],
  ["episodic", "Conversations"],
];

type Props = { filter: MemoryFilter; onChange: (filter: MemoryFilter) => void };

export function MemoryFilters({ filter, onChange }: Props) {
  return (
    <div className="memory-filters">
      <SearchField
        label="Search memories"
        value={filter.query}
        onChange={(query) => onChange({ ...filter, query })}
      />
      <fieldset className="kind-filter">
        <legend className="visually-hidden">Kind of memory</legend>
        {KINDS.map(([kind, label]) => (
          <label key={label} className="kind-option">
            <input
              type="radio"
              name="kind"
              checked={filter.kind === kind}
              onChange={() => onChange({ ...filter, kind })}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
