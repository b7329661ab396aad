import type { Profile } from "../api/types";
import { useStrings } from "../strings";
import { ChevronIcon } from "../ui/icons";
import "./profile.css";

type Field = Exclude<keyof Profile, "last_updated">;

const FIELDS: readonly Field[] = [
  "personal_context",
  "work_context",
  "top_of_mind",
  "recent_months",
  "earlier_context",
  "long_term_background",
];

/** A summary of the user; renders nothing while the profile is empty. */
export function ProfileCard({ profile }: { profile: Profile }) {
  const { profile: strings } = useStrings();
  const fields = FIELDS.filter((field) => profile[field] !== "");
  if (fields.length === 0) return null;
  return (
    <details className="profile" data-testid="profile" open>
      <summary>
        {strings.title}
        <ChevronIcon />
      </summary>
      <dl>
        {fields.map((field) => (
          <div key={field}>
            <dt>{strings[field]}</dt>
            <dd dir="auto">{profile[field]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
