import { Link } from "wouter";
import { sourcePath } from "../routes";
import { useFormat, useStrings } from "../strings";

/** The applications whose conversations can be imported, by the prefix of their ids. */
const APPLICATIONS: Readonly<Record<string, string>> = { chatgpt: "ChatGPT", claude: "Claude" };

type Props = {
  /** The thread that a memory comes from; empty if the user entered it. */
  thread: string;
  ts: string;
  onNavigate?: () => void;
};

/** The day of a memory, with a link to its thread, or the application from which that was imported. */
export function SourceDate({ thread, ts, onNavigate }: Props) {
  const { memories: strings } = useStrings();
  const date = useFormat().day(ts);
  const path = sourcePath(thread);
  if (path !== null) {
    return (
      <Link href={path} title={strings.openSource} onClick={onNavigate}>
        {date}
      </Link>
    );
  }
  const application = APPLICATIONS[thread.split(":", 1)[0] ?? ""];
  return application === undefined ? date : `${date} · ${application}`;
}
