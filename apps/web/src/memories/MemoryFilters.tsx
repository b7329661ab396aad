import type { MemoryFilter } from "../api/client";
import type { MemoryKind } from "../api/types";
import { useStrings } from "../strings";
import { SearchField } from "../ui/SearchField";

const KINDS: readonly (MemoryKind | null)[] = [null, "user", "procedural", "episodic"];

type Props = { filter: MemoryFilter; onChange: (filter: MemoryFilter) => void };

export function MemoryFilters({ filter, onChange }: Props) {
  const { memories: strings } = useStrings();
  return (
    <div className="memory-filters">
      <SearchField
        label={strings.search}
        value={filter.query}
        onChange={(query) => onChange({ ...filter, query })}
      />
      <fieldset className="kind-filter">
        <legend className="visually-hidden">{strings.kind}</legend>
        {KINDS.map((kind) => (
          <label key={kind} className="kind-option">
            <input
              type="radio"
              name="kind"
              checked={filter.kind === kind}
              onChange={() => onChange({ ...filter, kind })}
            />
            <span>{strings.filters[kind ?? "all"]}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
