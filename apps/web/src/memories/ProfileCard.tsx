import type { Profile } from "../api/types";
import { ChevronIcon } from "../ui/icons";

type Field = Exclude<keyof Profile, "last_updated">;

const FIELDS: readonly [field: Field, label: string][] = [
  ["personal_context", "You"],
  ["work_context", "Work"],
  ["top_of_mind", "On your mind"],
  ["recent_months", "The last months"],
  ["earlier_context", "Before that"],
  ["long_term_background", "Long ago"],
];

/** Who the user is, in a few sentences; nothing while nothing is known. */
export function ProfileCard({ profile }: { profile: Profile }) {
  const known = FIELDS.filter(([field]) => profile[field] !== "");
  if (known.length === 0) return null;
  return (
    <details className="profile" data-testid="profile" open>
      <summary>
        About you
        <ChevronIcon />
      </summary>
      <dl>
        {known.map(([field, label]) => (
          <div key={field}>
            <dt>{label}</dt>
            <dd>{profile[field]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
