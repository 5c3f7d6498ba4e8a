import { col, fn, Op, where as condition } from "sequelize";
import sql, { raw, type Sql } from "sql-template-tag";
import { spellingsOf } from "../../vocabulary/text/email-address";

/** The condition that a column has an address, in any of its spellings; an index on `lower(column)` serves it. */
export function hasAddress(column: string, address: string): Sql {
  const [first, ...others] = spellingsOf(address);
  // For a single value, the index also has the order of the rows.
  if (others.length === 0) return sql`lower(${raw(column)}) = ${first}`;
  return sql`lower(${raw(column)}) = ANY(${[first, ...others]})`;
}

/** The same for a model's own methods. */
export const isAddress = (column: string, address: string) =>
  condition(fn("lower", col(column)), { [Op.in]: [...spellingsOf(address)] });

/**
 * The condition that a row of a table is the one whose `email` is an address. If rows have several of its spellings, it
 * is that of this very spelling.
 */
export const isOnlyOf = (table: string, address: string, where: Sql = sql`true`): Sql =>
  sql`id = (SELECT id FROM ${raw(table)} WHERE ${hasAddress("email", address)} AND ${where}
            ORDER BY lower(email) = ${spellingsOf(address)[0]} DESC, id LIMIT 1)`;
