import type { MemoryFilter } from "../api/client";
import type { MemoryKind } from "../api/types";
import { SearchIcon } from "../ui/icons";

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
      <label className="search">
        <SearchIcon />
        <span className="visually-hidden">Search memories</span>
        <input
          type="search"
          placeholder="Search"
          value={filter.query}
          onChange={(event) => onFilter({ ...filter, query: event.target.value })}
        />
      </label>
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
