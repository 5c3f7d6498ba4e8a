import { t } from "../texts";

const decimals = new Intl.NumberFormat(undefined, {
  ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
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
  return String(cents).padStart(3, "0").replace(/..$/, ".$&");
}

/** A price as somebody types it, with a comma or a point, as the service takes it; undefined if it is none. */
export const priceIn = (text: string): string | undefined =>
  /^\s*[0-9]+([.,][0-9]{1,2})?\s*$/.test(text) ? text.trim().replace(",", ".") : undefined;

export const count = (number: number): string => new Intl.NumberFormat().format(number);

/** A value of a field. */
export const textOf = (value: unknown): string =>
  typeof value === "boolean"
    ? t(`ra.boolean.${value}`)
    : ((value ?? "") as string | number).toString() || "–";

/** A time of the service, in the browser's time zone; nothing for none. */
export const time = (iso: string | null | undefined): string =>
  iso ? new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";

/** A day of the browser's calendar as `YYYY-MM-DD`, which is how Swedes write it. */
export const dayOf = (date: Date): string => date.toLocaleDateString("sv");

/** When a day begins where the browser is, or the day so many days later: days there may have 23 or 25 hours. */
export function startOf(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later);
}

export const isDay = (text: string): boolean =>
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) && dayOf(startOf(text)) === text;

/** The periods that have a name: the first and the last day of each, counted within the month of a date. */
function periods(now: Date) {
  const today = now.getDate();
  const lastMonth = new Date(now.getFullYear(), now.getMonth(), 0).getDate();
  return {
    today: [today, today],
    yesterday: [today - 1, today - 1],
    last_7_days: [today - 6, today],
    last_30_days: [today - 29, today],
    this_month: [1, today],
    last_month: [1 - lastMonth, 0],
  } as const;
}

export type Period = keyof ReturnType<typeof periods>;
export const PERIODS = Object.keys(periods(new Date())) as Period[];

export function daysOf(period: Period, now = new Date()) {
  const [from, to] = periods(now)[period].map((day) =>
    dayOf(new Date(now.getFullYear(), now.getMonth(), day)),
  );
  return { from, to };
}

/** The days of an address as times. @throws Error if a day is none: it is not ignored */
export function timesOf({ from, to }: { readonly from?: string; readonly to?: string }) {
  if ([from, to].some((day) => day !== undefined && !isDay(day)))
    throw new Error(t("list.no_date"));
  return {
    from: from === undefined ? undefined : startOf(from).toISOString(),
    before: to === undefined ? undefined : startOf(to, 1).toISOString(),
  };
}
