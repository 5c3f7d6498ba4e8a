/** The size and cost of an operation, or of a part of one. */
export interface Measure {
  /** Levels of nested fields. */
  readonly depth: number;
  /**
   * The work of the database. Each row that may be loaded costs 1; a list has as many rows as its page size
   * or an assumed length, and adds the cost of finding them.
   */
  readonly cost: number;
  /** About the bytes of the answer plus the work on each key. */
  readonly weight: number;
  /** Fields that have an alias. */
  readonly aliases: number;
  /** Fields `login` and fields `changePassword`; each is an attempt to prove a password. */
  readonly logins: number;
  readonly passwordChanges: number;
}

/** The measure of an empty selection. */
export const NOTHING: Measure = {
  depth: 0,
  cost: 0,
  weight: 0,
  aliases: 0,
  logins: 0,
  passwordChanges: 0,
};

/** The measure of two selections of the same parent. */
export const add = (left: Measure, right: Measure): Measure => ({
  depth: Math.max(left.depth, right.depth),
  cost: left.cost + right.cost,
  weight: left.weight + right.weight,
  aliases: left.aliases + right.aliases,
  logins: left.logins + right.logins,
  passwordChanges: left.passwordChanges + right.passwordChanges,
});
