import type { en } from "./en";

type Widened<Value> = Value extends string
  ? string
  : Value extends (...parameters: infer Parameters) => string
    ? (...parameters: Parameters) => string
    : { readonly [Key in keyof Value]: Widened<Value[Key]> };

/** The texts of the page in one language. A language without one of the keys fails the type check. */
export type Strings = Widened<typeof en>;
