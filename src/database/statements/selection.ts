import { raw, type Sql } from "sql-template-tag";
import { columnName } from "../../vocabulary/columns";

/** A SELECT's list of columns, by attribute, under other names: `customer_email AS "customerEmail"`. */
export const selection = (names: Readonly<Record<string, string>>): Sql =>
  raw(
    Object.entries(names)
      .map(([attribute, name]) => `${columnName(attribute)} AS "${name}"`)
      .join(", "),
  );
