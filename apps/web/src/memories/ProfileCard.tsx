import type { Profile } from "../api/types";
import { ChevronIcon } from "../ui/icons";

type Field = Exclude<keyof Profile, "last_updated">;

const FIELDS: readonly [field: Field, label: string][] = [
  ["personal_context", "Personal"],
  ["work_context", "Work"],
  ["top_of_mind", "Current topics"],
  ["recent_months", "Recent months"],
  ["earlier_context", "Earlier"],
  ["long_term_background", "Background"],
];

/** A summary of the user; renders nothing while the profile is empty. */
export function ProfileCard({ profile }: { profile: Profile }) {
  const fields = FIELDS.filter(([field]) => profile[field] !== "");
  if (fields.length === 0) return null;
  return (
    <details className="profile" data-testid="profile" open>
      <summary>
        About you
        <ChevronIcon />
      </summary>
      <dl>
        {fields.map(([field, label]) => (
          <div key={field}>
            <dt>{label}</dt>
            <dd>{profile[field]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
