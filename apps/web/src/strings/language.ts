/** The languages of the page, and how one of them is chosen. */

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = "keepsake.language";

export function isLanguage(value: string | null | undefined): value is Language {
  return value !== null && value !== undefined && Object.hasOwn(LANGUAGES, value);
}

/** The language that the user chose; null: that of the browser. */
export function loadLanguage(storage: Storage): Language | null {
  const saved = storage.getItem(KEY);
  return isLanguage(saved) ? saved : null;
}

export function saveLanguage(storage: Storage, language: Language | null): void {
  if (language === null) storage.removeItem(KEY);
  else storage.setItem(KEY, language);
}

/** The first of the browser's languages that the page has, else English. */
export function matchLanguage(preferred: readonly string[]): Language {
  return preferred.map((tag) => tag.split("-", 1)[0]?.toLowerCase()).find(isLanguage) ?? "en";
}

/** The browser's variant of a language for dates and numbers, such as `de-AT`. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return (
    preferred.find((tag) => matchLanguage([tag]) === language && tag.startsWith(language)) ??
    language
  );
}

/** The writing direction of a language. */
export function directionOf(language: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
}

const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);
