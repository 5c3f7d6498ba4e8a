/** What an operation asks for. */
export interface Measure {
  /** Levels of fields below each other. */
  readonly depth: number;
  /**
   * What it asks of the database: each row that it may load costs 1, rows of lists their page size or
   * an assumed length, and lists what finding their rows costs.
   */
  readonly cost: number;
  /** About the bytes of its answer and the work on each key of it; Infinity where introspection alone is too heavy. */
  readonly weight: number;
  /** Fields under another name than their own. */
  readonly aliases: number;
  /** Logins; each is a try. */
  readonly logins: number;
}

/** The measure of an empty selection. */
export const NOTHING: Measure = { depth: 0, cost: 0, weight: 0, aliases: 0, logins: 0 };

/** The measure of two selections beside each other. */
export const add = (left: Measure, right: Measure): Measure => ({
  depth: Math.max(left.depth, right.depth),
  cost: left.cost + right.cost,
  weight: left.weight + right.weight,
  aliases: left.aliases + right.aliases,
  logins: left.logins + right.logins,
});
