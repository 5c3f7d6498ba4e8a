import { markdown, verdict } from "../page/markdown.mjs";

const ms = (value) => (value === undefined ? "" : value.toFixed(value < 10 ? 1 : 0));
const grouped = (value) => value?.toLocaleString("en") ?? "";
const refused = (statuses) =>
  Object.entries(statuses)
    .filter(([status]) => status !== "200")
    .map(([status, count]) => `${status} × ${count}`)
    .join(", ");

/** Any page of a list beside its first one. */
export const pagesTable = (rows) =>
  markdown(
    ["List", "Rows", "First page, p50, ms", "Any page, p50, ms", "p99, ms", "Target", ""],
    rows.map(({ title, total, first, any, most, isReached }) => [
      title,
      grouped(total),
      ms(first.p50),
      ms(any.p50),
      ms(any.p99),
      `≤ 2 × the first, p99 ≤ ${most} ms`,
      verdict(isReached),
    ]),
  );

/** The forms of a list of products. */
export const formsTable = (rows) =>
  markdown(
    ["Products", "Rows", "Cost", "Without total", "With total, cold", "Repeated", "Refused", ""],
    rows.map(({ title, total, cost, times, most, statuses, isReached }) => [
      title,
      grouped(total),
      cost === undefined ? "" : String(cost),
      ...Object.entries(times).map(([name, time]) => `${ms(time)} (≤ ${most[name]})`),
      refused(statuses),
      verdict(isReached),
    ]),
  );

/** How many forms reach their targets, and whether any was refused. */
export function formsSummary(rows) {
  const reached = rows.filter(({ isReached }) => isReached).length;
  const failed = rows.filter(({ statuses }) => refused(statuses) !== "").length;
  return `${reached} of ${rows.length} forms reach their targets; ${failed} had answers other than 200.`;
}

/** Orders in a shop of many orders beside orders in a small one. */
export const largeOrdersTable = ({ small, large, smallCount, largeCount }) =>
  markdown(
    ["POST /orders, 3 items, with a key", "Requests/s", "To those of the small shop", "Target", ""],
    [
      [`${grouped(smallCount)} orders`, Math.round(small.rate), "1", "", ""],
      [
        `${grouped(largeCount)} orders`,
        Math.round(large.rate),
        (large.rate / small.rate).toFixed(2),
        "≥ 0.9",
        verdict(large.rate >= 0.9 * small.rate),
      ],
    ],
  );
