import { useCallback, useMemo, useState } from "react";
import type { Api } from "../api/client";
import type { MapPoint, MemoryId, MemoryKind } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { Notice } from "../ui/Notice";
import { SearchField } from "../ui/SearchField";
import { useQuery } from "../ui/useQuery";
import { MapCanvas } from "./MapCanvas";
import "./map.css";

/** As many as are easy to tell apart on the map. */
const HIGHLIGHTS = 6;
const KINDS: readonly MemoryKind[] = ["user", "procedural", "episodic"];

type Props = {
  api: Api;
  version: string;
  query: string;
  onQueryChange: (query: string) => void;
};

/** All memories as points; what is close together is about similar things. A search highlights what would be recalled. */
export default function MemoryMap({ api, version, query, onQueryChange }: Props) {
  const { memories: labels, memoryPage: strings } = useStrings();
  const [selected, setSelected] = useState<MapPoint | null>(null);
  const { data: points, problem } = useQuery(api.memories.map, version);
  const search = useCallback(
    async (signal: AbortSignal) =>
      query === ""
        ? []
        : (await api.memories.list({ kind: null, query }, null, signal, HIGHLIGHTS)).items,
    [api, query],
  );
  const { data: found } = useQuery(search, version);
  const highlighted = useMemo(() => new Set((found ?? []).map(({ id }) => id)), [found]);

  if (points === null) return problem && <Notice problem={problem} />;
  if (points.length === 0) return <p className="memories-empty">{strings.mapEmpty}</p>;
  return (
    <div className="map" data-testid="map">
      <search>
        <SearchField label={strings.search} value={query} onChange={onQueryChange} />
      </search>
      <MapCanvas
        points={points}
        highlighted={highlighted}
        selected={selected?.id ?? null}
        onSelect={setSelected}
      />
      <ul className="map-legend">
        {KINDS.map((kind) => (
          <li key={kind} data-kind={kind}>
            {labels.filters[kind]}
          </li>
        ))}
      </ul>
      {selected && <SelectedMemory key={selected.id} api={api} id={selected.id} />}
      {query !== "" && (
        <ol className="map-results" aria-label={strings.closest}>
          {found?.map((memory) => (
            <li key={memory.id} dir="auto">
              {memory.text}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function SelectedMemory({ api, id }: { api: Api; id: MemoryId }) {
  const { memories: labels } = useStrings();
  const format = useFormat();
  const load = useCallback((signal: AbortSignal) => api.memories.get(id, signal), [api, id]);
  const { data: memory, problem } = useQuery(load, id);
  if (problem) return <Notice problem={problem} />;
  return (
    <p className="map-selected" aria-live="polite" data-testid="map-selected">
      {memory && (
        <>
          <span dir="auto">{memory.text}</span>
          <small>
            {labels.kinds[memory.kind]} · {format.day(memory.ts)}
          </small>
        </>
      )}
    </p>
  );
}
