import type { MemoryFilter } from "../api/client";
import type { MemoryKind } from "../api/types";
import { SearchField } from "../ui/SearchField";

const KINDS: readonly [kind: MemoryKind | null, label: string][] = [
  [null, "All"],
  ["user", "Facts"],
  ["procedural", "How to help"],
  ["episodic", "Episodes"],
];

type Props = { filter: MemoryFilter; onFilter: (filter: MemoryFilter) => void };

export function MemoryFilters({ filter, onFilter }: Props) {
  return (
    <div className="filters">
      <SearchField
        label="Search memories"
        value={filter.query}
        onChange={(query) => onFilter({ ...filter, query })}
      />
      <fieldset className="kinds">
        <legend className="visually-hidden">Kind of memory</legend>
        {KINDS.map(([kind, label]) => (
          <label key={label} className="kind">
            <input
              type="radio"
              name="kind"
              checked={filter.kind === kind}
              onChange={() => onFilter({ ...filter, kind })}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
