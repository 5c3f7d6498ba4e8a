import type { Client } from "pg";
import type { Held } from "../../../vocabulary/columns";
import { entryTables } from "./entry-tables";
import type { ImportedEntry } from "./read-entry";

/** An entry of a file, and its line. */
export interface StagedEntry {
  readonly line: number;
  readonly entry: Partial<ImportedEntry> & Pick<ImportedEntry, "type" | "slug">;
  /** Whether the slug is derived. If so, the entry must be new. */
  readonly isDerived: boolean;
}

/** The fields of both kinds of entries, by name. */
const fields = [
  ...new Map(
    Object.values(entryTables)
      .flatMap((kind) => kind.fields)
      .map((field) => [field.name, field]),
  ).values(),
];

/** The type of a column's values in JSON. */
const inJson: Readonly<Record<Held, string>> = {
  integer: "integer",
  text: "text",
  decimal: "numeric",
  flag: "boolean",
  time: "timestamptz",
};

/**
 * Creates the temporary table of the file's entries, whose fields have the types and collations of the columns
 * that they are stored in. The table is gone when the session ends, however it ends.
 */
export async function createStaging(client: Client): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE staged AS
     SELECT 0 AS line, '' AS type, false AS is_derived, ${fields.map(({ name, stored }) => `${stored} AS "${name}"`).join()}
     FROM categories, products WITH NO DATA`,
  );
  await client.query("ALTER TABLE staged ADD PRIMARY KEY (line)");
}

const STAGE = `
  INSERT INTO staged
  SELECT line, type, is_derived, ${fields.map(({ name }) => `"${name}"`).join()}
  FROM json_to_recordset($1) AS row (
    line integer, type text, is_derived boolean, ${fields.map(({ name, holds }) => `"${name}" ${inJson[holds]}`).join()}
  )`;

/** Stores a batch of entries. Other sessions neither see them nor wait. */
export async function stage(client: Client, batch: readonly StagedEntry[]): Promise<void> {
  const rows = batch.map(({ line, isDerived: is_derived, entry }) => ({
    line,
    is_derived,
    ...entry,
  }));
  await client.query(STAGE, [JSON.stringify(rows)]);
}

/** Tells the planner how many entries there are. */
export async function endStaging(client: Client): Promise<void> {
  await client.query("ANALYZE staged");
}
