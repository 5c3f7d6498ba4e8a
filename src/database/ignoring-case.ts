import { col, fn, where } from "sequelize";
import { foldCase } from "../text/email-address";

/** The condition that a column equals the text, letter case ignored; served by an index on `lower(column)`. */
export const equalIgnoringCase = (column: string, text: string): ReturnType<typeof where> =>
  where(fn("lower", col(column)), foldCase(text));
