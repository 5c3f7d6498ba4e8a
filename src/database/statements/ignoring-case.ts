import sql, { raw, type Sql } from "sql-template-tag";
import { foldCase } from "../../vocabulary/text/email-address";

/** The condition that a column equals a text, ignoring case; an index on `lower(column)` serves it. */
export const equalIgnoringCase = (column: string, text: string): Sql =>
  sql`lower(${raw(column)}) = ${foldCase(text)}`;
