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

/** A problem that the page detects; its texts are in `strings`. */
const pageProblem = (code: string): Problem => ({ code, title: "", detail: "" });

export const UNREACHABLE = pageProblem("unreachable");
export const STREAM_BROKEN = pageProblem("stream_broken");
export const SIGN_IN_FAILED = pageProblem("sign_in_failed");
const UNKNOWN = pageProblem("unknown");

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
