import type { Formation } from "../api/types";
import { formationLines } from "./formation";

type Props = { formation: Formation | null; distilling: boolean; onDistil: () => void };

export function FormationLine({ formation, distilling, onDistil }: Props) {
  return (
    <div className="formation" data-testid="formation">
      <p>{formation && formationLines(formation).join(" ")}</p>
      <button
        type="button"
        className="button button-small"
        disabled={distilling}
        title="Turn what was said recently into memories now"
        onClick={onDistil}
      >
        {distilling ? "Distilling…" : "Distil now"}
      </button>
    </div>
  );
}
