/**
 * What a list costs the database beside the rows that it returns. The unit is one row that is read by its
 * id; docs/graphql.md explains the prices to those who write queries.
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

/** A list of this price or more is costly. */
const COSTLY = 20;

/** The price of the rows before a part of a list. */
export function priceOfSkipping(rows: bigint): number {
  const price = rows / SKIPPED_PER_ROW;
  return Number(price < DEAREST_SKIP ? price : DEAREST_SKIP);
}

/**
 * The price of counting all rows, where a client asks for the number. REST's pages always have it (contract
 * 2.meta): there it is not the client's choice, and has no price.
 */
export const priceOfTotal = (counted: boolean | undefined): number =>
  counted === true ? LIST_PRICES.total : 0;

/** Whether only a few lists of this price may be read at a time. */
export const isCostly = (price: number): boolean => price >= COSTLY;
