/**
 * Whether a language writes 12,50.
 *
 * @param language that of the reader if it is left out
 */
export const hasDecimalComma = (language?: string): boolean =>
  new Intl.NumberFormat(language)
    .formatToParts(0.5)
    .some(({ type, value }) => type === "decimal" && value === ",");
