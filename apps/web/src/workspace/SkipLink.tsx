import { useStrings } from "../strings";

/** The first stop of the Tab key: skips the thread list. */
export function SkipLink() {
  const { app } = useStrings();
  return (
    <a
      className="skip-link"
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}
    >
      {app.skipToMain}
    </a>
  );
}
