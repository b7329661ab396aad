export type ClientSnippet = { readonly client: string; readonly code: string };

/** The setup of other apps for a gateway at `origin`; `KEY` stands for a personal key. */
export function clientSnippets(origin: string): readonly ClientSnippet[] {
  return [
    {
      client: "curl",
      code: `curl ${origin}/memories -H "authorization: Bearer KEY"`,
    },
  ];
}
