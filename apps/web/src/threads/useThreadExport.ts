import type { Api } from "../api/client";
import type { ListedThread } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { download } from "../ui/download";
import type { Attempt } from "../ui/useAttempt";
import { fileName, threadMarkdown } from "./threadMarkdown";
import { threadTitle } from "./threads";

/** An action that saves a thread as a Markdown file. */
export function useThreadExport(api: Api, attempt: Attempt) {
  const strings = useStrings();
  const format = useFormat();
  return (thread: ListedThread) =>
    attempt(async () => {
      const messages = await api.threads.messages(thread.thread_id);
      const title = threadTitle(thread, strings.threads.newThread);
      const labels = { you: strings.chat.you, assistant: strings.app.name };
      const text = threadMarkdown(title, messages, labels, format.date);
      download(new Blob([text], { type: "text/markdown" }), fileName(title));
    });
}
