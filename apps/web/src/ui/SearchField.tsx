import { SearchIcon } from "./icons";

type Props = { label: string; value: string; onChange: (query: string) => void };

export function SearchField({ label, value, onChange }: Props) {
  return (
    <label className="search">
      <SearchIcon />
      <span className="visually-hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={value}
        maxLength={400}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
