import { createContext, use } from "react";
import type { Format } from "./format";
import type { Language } from "./language";
import type { Strings } from "./strings";

export type Localization = {
  readonly strings: Strings;
  readonly format: Format;
  readonly language: Language;
  /** The user's choice; null: the browser's language. */
  readonly choice: Language | null;
  readonly choose: (language: Language | null) => void;
};

export const LocalizationContext = createContext<Localization | null>(null);

export function useLocalization(): Localization {
  const localization = use(LocalizationContext);
  if (localization === null) throw new Error("useLocalization requires a LocalizationProvider");
  return localization;
}

/** The texts of the page in the user's language. */
export const useStrings = (): Strings => useLocalization().strings;

/** Dates and numbers in the user's language. */
export const useFormat = (): Format => useLocalization().format;
