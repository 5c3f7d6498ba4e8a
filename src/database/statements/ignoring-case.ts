import { col, fn, where } from "sequelize";
import { foldCase } from "../../vocabulary/text/email-address";

/** The condition that a column equals a text, ignoring case; an index on `lower(column)` serves it. */
export const equalIgnoringCase = (column: string, text: string): ReturnType<typeof where> =>
  where(fn("lower", col(column)), foldCase(text));
