type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Create a function that chooses the form of a text by the plural rules of a language. */
export function createPlural(language: string) {
  const rules = new Intl.PluralRules(language);
  return (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other;
}
