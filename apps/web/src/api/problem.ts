import type { Problem } from "./types";

export class ProblemError extends Error {
  readonly problem: Problem;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;

  constructor(problem: Problem, status: number, options?: ErrorOptions) {
    super(problem.title, options);
    this.name = "ProblemError";
    this.problem = problem;
    this.status = status;
  }
}

export const UNREACHABLE: Problem = {
  code: "unreachable",
  title: "Cannot connect to Keepsake.",
  detail: "Check your connection, then try again.",
};

export const STREAM_BROKEN: Problem = {
  code: "stream_broken",
  title: "The answer was interrupted.",
  detail: "Your message is saved. Trying again does not send it twice.",
};

const UNKNOWN: Problem = {
  code: "unknown",
  title: "Something went wrong.",
  detail: "",
};

/** Parse a problem from untrusted JSON; missing or invalid fields get defaults. */
export function parseProblem(body: unknown): Problem {
  if (typeof body !== "object" || body === null) return UNKNOWN;
  const { code, title, detail } = body as Record<string, unknown>;
  return {
    code: typeof code === "string" ? code : UNKNOWN.code,
    title: typeof title === "string" ? title : UNKNOWN.title,
    detail: typeof detail === "string" && detail !== title ? detail : "",
  };
}

/** Convert an error response into a `ProblemError`. */
export async function toProblemError(response: Response): Promise<ProblemError> {
  const body: unknown = await response.json().catch(() => null);
  return new ProblemError(parseProblem(body), response.status);
}

/** Convert any thrown value into a problem that can be shown. */
export function toProblem(error: unknown): Problem {
  return error instanceof ProblemError ? error.problem : UNKNOWN;
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
