/**
 * The work that a list causes in the database in addition to the rows that it returns. The unit is the work
 * of reading one row by its id. measure-operation.ts adds these costs to those of
 * the rows, and docs/graphql.md explains them.
 */
export const LIST_COSTS = {
  /** Counts all matching rows. */
  total: 20,
  /** Sorts and filters in a combination that no index supports. */
  scan: 30,
  /** Searches for words of products, or for a part of an address. */
  search: 100,
} as const;

/** Skipping this many rows costs as much as reading one. */
const SKIPPED_PER_ROW = 100n;
const MAX_SKIP_COST = 100n;

/** Finding this many rows by their ids costs as much as reading one. */
const FOUND_PER_ROW = 10;

/** The cost of finding rows by ids that the client names, which may be more than the page shows. */
export const costOfFinding = (ids: number): number => Math.ceil(ids / FOUND_PER_ROW);

/** The lowest cost of a costly list. */
const COSTLY = 20;

/** The cost of skipping the rows before a page. */
export function costOfSkipping(rows: bigint): number {
  const cost = rows / SKIPPED_PER_ROW;
  return Number(cost < MAX_SKIP_COST ? cost : MAX_SKIP_COST);
}

/**
 * The cost of counting all rows if the client asked for it. REST leaves `counted` out: its pages always
 * have the total (contract 2.meta), so counting is not the client's choice and has no cost.
 */
export const costOfTotal = (counted: boolean | undefined): number =>
  counted === true ? LIST_COSTS.total : 0;

/** Whether only a few lists of this cost may be read at a time. */
export const isCostly = (cost: number): boolean => cost >= COSTLY;
