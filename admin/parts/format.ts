const decimals = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** An amount as people of the browser's language write it. It has no currency, as the shop has none. */
export const amount = (decimal: string): string =>
  // The digits are those of the text: a number would not hold all sums.
  decimals.format(decimal as `${number}`);

/** The sum of amounts, each so many times, to the cent. */
export function sumOf(parts: readonly { amount: string; times?: number }[]): string {
  const cents = parts.reduce(
    (sum, { amount: part, times = 1 }) => sum + BigInt(part.replace(".", "")) * BigInt(times),
    0n,
  );
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A price as somebody types it, with a comma or a point, as the service takes it; undefined if it is none. */
export const priceIn = (text: string): string | undefined =>
  /^\s*[0-9]+([.,][0-9]{1,2})?\s*$/.test(text) ? text.trim().replace(",", ".") : undefined;

export const count = (number: number): string => new Intl.NumberFormat().format(number);

/** A time of the service, in the browser's time zone. */
export const time = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A day of the browser's calendar as `YYYY-MM-DD`. */
export const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0"))
    .join("-");

/** When a day begins where the browser is, or the day so many days later: days there may have 23 or 25 hours. */
export function startOf(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later);
}

/** The periods that have a name. */
export const PERIODS = [
  "today",
  "yesterday",
  "last_7_days",
  "last_30_days",
  "this_month",
  "last_month",
] as const;
export type Period = (typeof PERIODS)[number];

/** The first and the last day of a period, as it is today. */
export function daysOf(period: Period, now = new Date()): { from: string; to: string } {
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const days = (first: Date, last: Date) => ({ from: dayOf(first), to: dayOf(last) });
  const back = (count: number) => new Date(year, month, date - count);
  switch (period) {
    case "today":
      return days(now, now);
    case "yesterday":
      return days(back(1), back(1));
    case "last_7_days":
      return days(back(6), now);
    case "last_30_days":
      return days(back(29), now);
    case "this_month":
      return days(new Date(year, month, 1), now);
    case "last_month":
      return days(new Date(year, month - 1, 1), new Date(year, month, 0));
  }
}
