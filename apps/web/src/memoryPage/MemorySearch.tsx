import type { MemoryKind } from "../api/types";
import { useStrings } from "../strings";
import { SearchField } from "../ui/SearchField";
import { CATEGORIES, type PageAddress } from "./pageAddress";

const KINDS: readonly (MemoryKind | null)[] = [null, "user", "procedural", "episodic"];

type Props = { address: PageAddress; onChange: (changes: Partial<PageAddress>) => void };

export function MemorySearch({ address, onChange }: Props) {
  const { memories, memoryPage: strings } = useStrings();
  return (
    <search className="memory-page-search">
      <SearchField
        label={strings.search}
        value={address.query}
        onChange={(query) => onChange({ query })}
      />
      <div className="memory-page-filters">
        <fieldset className="kind-filter">
          <legend className="visually-hidden">{memories.kind}</legend>
          {KINDS.map((kind) => (
            <label key={kind} className="kind-option">
              <input
                type="radio"
                name="page-kind"
                checked={address.kind === kind}
                onChange={() => onChange({ kind })}
              />
              <span>{memories.filters[kind ?? "all"]}</span>
            </label>
          ))}
        </fieldset>
        <select
          className="field field-small"
          aria-label={strings.category}
          value={address.category ?? ""}
          onChange={({ target }) =>
            onChange({ category: CATEGORIES.find((category) => category === target.value) ?? null })
          }
        >
          <option value="">{strings.allCategories}</option>
          {CATEGORIES.map((category) => (
            <option key={category} value={category}>
              {strings.categories[category]}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}
