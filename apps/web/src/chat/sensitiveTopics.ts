/** Words of death, illness and separation in the languages of the page; `~` stands for any ending. */
const SENSITIVE = (
  "death|dead|died|dying|deceased|passed away|passed on|suicid~|funeral~|buried|grief|griev~|mourn~|widow~|" +
  "miscarr~|stillb~|ill|illness~|sick|sickness~|disease~|cancer~|tumor~|tumour~|chemo~|diagnos~|hospital~|hospice~|" +
  "surger~|stroke|dementia|alzheimer~|depress~|divorc~|separated|separation|broke up|broken up|break-up|breakup|" +
  "split up|left me|ex-wife|ex-husband|lost (?:my|our|her|his|their) (?:\\p{L}+)|" +
  "tod|tot|tote|toten|toter|todes~|gestorben|starb|starben|sterb~|stirbt|verstorben~|beerdig~|begräbnis~|trauer~|witwe~|" +
  "suizid~|selbstmord~|fehlgeburt~|krank|kranke~|krankheit~|erkrank~|\\p{L}*krebs~|tumor~|leukämie~|klinik~|operation~|" +
  "operiert|schlaganfall~|herzinfarkt~|demenz~|scheidung~|geschieden~|getrennt|trennung~|trennen|verlassen|verloren"
).replaceAll("~", "\\p{L}*");

const PATTERN = new RegExp(`(?<![\\p{L}-])(?:${SENSITIVE})(?!\\p{L})`, "iu");

/** Whether a text is about a death, an illness or a separation, as far as its words say so. */
export function isSensitive(text: string): boolean {
  return PATTERN.test(text);
}
