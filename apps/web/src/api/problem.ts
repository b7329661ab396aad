/** What went wrong, as `application/problem+json` (RFC 9457) tells it or as the page noticed it. */
export type Problem = {
  readonly code: string;
  readonly title: string;
  readonly detail: string | null;
};

export class ProblemError extends Error {
  readonly problem: Problem;
  /** The HTTP status, or 0 when no answer came. */
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
  title: "Keepsake cannot be reached.",
  detail: "Check your connection, then try again.",
};

export const STREAM_BROKEN: Problem = {
  code: "stream_broken",
  title: "The answer broke off.",
  detail: "Your message is kept. Trying again does not send it twice.",
};

const UNKNOWN: Problem = {
  code: "unknown",
  title: "Something went wrong.",
  detail: null,
};

/** Reads a problem out of JSON that may hold anything. */
export function readProblem(body: unknown): Problem {
  if (typeof body !== "object" || body === null) return UNKNOWN;
  const { code, title, detail } = body as Record<string, unknown>;
  return {
    code: typeof code === "string" ? code : UNKNOWN.code,
    title: typeof title === "string" ? title : UNKNOWN.title,
    detail: typeof detail === "string" && detail !== title ? detail : null,
  };
}

/** Turns an answer that is no success into an error. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const body: unknown = await response.json().catch(() => null);
  return new ProblemError(readProblem(body), response.status);
}

/** What to show for anything that was thrown. */
export function explain(error: unknown): Problem {
  return error instanceof ProblemError ? error.problem : UNKNOWN;
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
