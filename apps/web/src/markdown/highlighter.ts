import { createLowlight, type LanguageFn } from "lowlight";
import { GRAMMARS, grammarsOf } from "./languages";

const lowlight = createLowlight();

/** Larger code is shown without colours, so that highlighting never blocks the page. */
const MAX_CHARS = 20_000;

export type CodeTree = ReturnType<typeof lowlight.highlight>;

/** Highlight code; null if its language is unknown or it is too long. */
export async function highlight(code: string, language: string): Promise<CodeTree | null> {
  const names = grammarsOf(language);
  const [name] = names;
  if (name === undefined || code.length > MAX_CHARS) return null;
  await Promise.all(names.map(register));
  return lowlight.highlight(name, code);
}

async function register(name: string): Promise<void> {
  if (lowlight.registered(name)) return;
  const grammar = (await GRAMMARS[name]?.())?.default;
  if (grammar !== undefined) lowlight.register(name, grammar satisfies LanguageFn);
}
