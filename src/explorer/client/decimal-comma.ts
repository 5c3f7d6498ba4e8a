/**
 * Whether a language writes 12,50 instead of 12.50.
 *
 * @param language by default the reader's
 */
export const hasDecimalComma = (language?: string): boolean =>
  new Intl.NumberFormat(language)
    .formatToParts(0.5)
    .some(({ type, value }) => type === "decimal" && value === ",");
