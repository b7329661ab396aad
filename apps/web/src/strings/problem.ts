import type { Strings } from "./strings";

type Problem = { readonly code: string; readonly title: string; readonly detail: string };

/** The title and detail of a problem in the user's language; the gateway's texts are English. */
export function localizeProblem({ problems, gatewayProblems }: Strings, problem: Problem) {
  const { code, title, detail } = problem;
  if (Object.hasOwn(problems, code)) return problems[code as keyof Strings["problems"]];
  return { title: gatewayProblems[code] ?? (title || problems.unknown.title), detail };
}
