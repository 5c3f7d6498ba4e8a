/**
 * What a list costs the database beside the rows that it returns. The unit is a row that is read by its
 * id; docs/graphql.md tells them to those who write queries.
 */
export const LIST_PRICES = {
  /** All rows that match are counted. */
  total: 20,
  /** A sort and conditions that no index serves together. */
  scan: 30,
  /** Words are looked for in names and descriptions. */
  search: 100,
} as const;

/** Rows that are skipped for the price of one that is read. */
const SKIPPED_PER_ROW = 100n;
const DEAREST_SKIP = 100n;

/** From here on a list is costly. */
const COSTLY = 20;

/** The price of the rows before a part of a list. */
export function priceOfSkipping(rows: bigint): number {
  const price = rows / SKIPPED_PER_ROW;
  return Number(price < DEAREST_SKIP ? price : DEAREST_SKIP);
}

/**
 * The price of counting all rows where it is asked for beside the entries. A page that always has its
 * total, as REST's (spec.md section 2), is no choice of the client's and has no price.
 */
export const priceOfTotal = (counted: boolean | undefined): number =>
  counted === true ? LIST_PRICES.total : 0;

/** Whether of lists of this price only a few may be read at a time. */
export const isCostly = (price: number): boolean => price >= COSTLY;
