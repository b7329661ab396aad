import type { ToolCall } from "../api/events";

/** A tool that an answer used, or uses. */
export type Tool = ToolCall & {
  readonly state: "running" | "done" | "failed";
  readonly output: string;
};

type Wording = {
  readonly running: string;
  readonly done: string;
  readonly failed: string;
  /** What it is about. */
  readonly about: (tool: Tool) => unknown;
};

const WORDINGS: Readonly<Record<string, Wording>> = {
  web_search: {
    running: "Searching the web",
    done: "Searched the web",
    failed: "The web could not be searched",
    about: ({ input }) => input["query"],
  },
  search_memories: {
    running: "Searching memory",
    done: "Searched memory",
    failed: "Memory could not be searched",
    about: ({ input }) => input["query"],
  },
  remember: {
    running: "Remembering",
    done: "Remembered",
    failed: "Not remembered",
    about: ({ input }) => input["text"],
  },
  forget: {
    running: "Forgetting",
    done: "Forgot",
    failed: "Nothing forgotten",
    // It may have been asked for by its id: what went is told at the end.
    about: ({ output, state }) => (state === "done" ? /^Forgotten: (.+)$/s.exec(output)?.[1] : ""),
  },
};

const FAILURES: ReadonlySet<string> = new Set(["error", "failed", "timed_out"]);

export function begin(tools: readonly Tool[], call: ToolCall): readonly Tool[] {
  const others = tools.filter(({ id }) => id !== call.id);
  return [...others, { ...call, state: "running", output: "" }];
}

export function finish(
  tools: readonly Tool[],
  { id, output, status }: { id: string; output: string; status: string },
): readonly Tool[] {
  const state = FAILURES.has(status) ? "failed" : "done";
  return tools.map((tool) => (tool.id === id ? { ...tool, state, output } : tool));
}

/** What still runs when an answer ends before its time has come to nothing. */
export function giveUp(tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => (tool.state === "running" ? { ...tool, state: "failed" } : tool));
}

/** What a tool does or did, in a few words. */
export function toolLabel({ tool, state }: Pick<Tool, "tool" | "state">): string {
  const wording = WORDINGS[tool];
  if (wording === undefined) return state === "failed" ? `${tool} failed` : `Used ${tool}`;
  return state === "running" ? `${wording.running}…` : wording[state];
}

/** What it was about; empty when that is not known. */
export function toolTopic(tool: Tool): string {
  const topic = WORDINGS[tool.tool]?.about(tool);
  return typeof topic === "string" ? topic.trim() : "";
}
