export { useFormat, useLocalization, useStrings } from "./context";
export type { Format } from "./format";
export { LANGUAGES, type Language } from "./language";
export { LocalizationProvider } from "./LocalizationProvider";
export { localizeProblem } from "./problem";
export type { Strings } from "./strings";
