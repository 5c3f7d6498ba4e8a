import { DataType } from "sequelize-typescript";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { tableOf, type ModelTable } from "../database/statements/columns";

/** A row of another model to which the rows of a list refer, read in the statement of the list. */
export interface ReferencedRow {
  /** The column of the list's statement that holds the row as JSON. */
  readonly column: Sql;
  /** Turns the JSON of a listed row's column into the row, in place. */
  parse(listed: object): void;
}

/**
 * Reads the row of a model whose id is in the column `key`, as the column `name`. The foreign key
 * guarantees that there is such a row.
 */
export function referencedRow(
  model: ModelTable<object>,
  { key, name }: { readonly key: string; readonly name: string },
): ReferencedRow {
  const attributes = Object.entries(model.getAttributes());
  const dates = attributes.flatMap(([attribute, { type }]) =>
    type instanceof DataType.DATE ? [attribute] : [],
  );
  const pairs = attributes.map(([attribute, { field = attribute, type }]) =>
    // A JSON number would lose trailing zeros.
    raw(`'${attribute}', "${field}"${type instanceof DataType.DECIMAL ? "::text" : ""}`),
  );
  const json = sql`SELECT json_build_object(${join(pairs)}) FROM ${tableOf(model)} WHERE id = ${raw(key)}`;
  return {
    column: sql`(${json}) AS "${raw(name)}"`,
    parse: (listed) => {
      const row = (listed as Record<string, Record<string, unknown>>)[name];
      if (row) for (const date of dates) row[date] = new Date(row[date] as string);
    },
  };
}
