/** The colours of the page: as the system has them, or as the user chose. */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "keepsake.theme";

export function loadTheme(storage: Storage): Theme {
  const saved = storage.getItem(KEY);
  return THEMES.find((theme) => theme === saved) ?? "system";
}

export function saveTheme(storage: Storage, theme: Theme): void {
  storage.setItem(KEY, theme);
}

/** Apply a theme to the document; the colours in `base.css` follow `color-scheme`. */
export function applyTheme(root: HTMLElement, theme: Theme): void {
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
}
