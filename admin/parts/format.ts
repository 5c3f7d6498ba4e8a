/** An amount as people of the browser's language write it. It has no currency, as the shop has none. */
export const amount = (decimal: string): string =>
  // The digits are those of the text: a number would not hold all sums.
  new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    decimal as `${number}`,
  );

export const count = (number: number): string => new Intl.NumberFormat().format(number);

/** A time of the service, in the browser's time zone. */
export const time = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** When a day begins where the browser is, or the day so many days later; days there may have 23 or 25 hours. */
export function startOf(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later);
}
