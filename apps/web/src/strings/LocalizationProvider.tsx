import { Direction } from "radix-ui";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { LocalizationContext, type Localization } from "./context";
import { createFormat } from "./format";
import {
  directionOf,
  loadLanguage,
  localeOf,
  matchLanguage,
  saveLanguage,
  type Language,
} from "./language";
import type { Strings } from "./strings";

const LOADERS: Readonly<Record<Language, () => Promise<Strings>>> = {
  en: async () => (await import("./en")).en,
  de: async () => (await import("./de")).de,
};

type Loaded = { readonly language: Language; readonly strings: Strings };

type Props = {
  /** Shown until the texts are loaded. */
  fallback: ReactNode;
  children: ReactNode;
};

/** Provides the texts in the chosen language, or that of the browser. */
export function LocalizationProvider({ fallback, children }: Props) {
  const [choice, setChoice] = useState(() => loadLanguage(localStorage));
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const wanted = choice ?? matchLanguage(navigator.languages);

  useEffect(() => {
    let current = true;
    void LOADERS[wanted]().then((strings) => {
      if (current) setLoaded({ language: wanted, strings });
    });
    return () => {
      current = false;
    };
  }, [wanted]);

  useEffect(() => {
    if (loaded === null) return;
    document.documentElement.lang = loaded.language;
    document.documentElement.dir = directionOf(loaded.language);
  }, [loaded]);

  const localization = useMemo<Localization | null>(() => {
    if (loaded === null) return null;
    const choose = (language: Language | null) => {
      saveLanguage(localStorage, language);
      setChoice(language);
    };
    const format = createFormat(localeOf(loaded.language, navigator.languages));
    return { ...loaded, format, choice, choose };
  }, [loaded, choice]);

  if (localization === null) return fallback;
  return (
    <LocalizationContext value={localization}>
      <Direction.Provider dir={directionOf(localization.language)}>{children}</Direction.Provider>
    </LocalizationContext>
  );
}
