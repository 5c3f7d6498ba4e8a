import type { Client } from "pg";
import type { Held } from "../../../vocabulary/columns";
import { BadLines, type BadLine } from "./bad-lines";
import { entryTables } from "./entry-tables";
import { readEntry, type FileLine, type ImportedEntry } from "./read-entry";

/** An entry of a file, and its line. */
interface StagedEntry {
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
async function createStaging(client: Client): Promise<void> {
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
async function stage(client: Client, batch: readonly StagedEntry[]): Promise<void> {
  const rows = batch.map(({ line, isDerived: is_derived, entry }) => ({
    line,
    is_derived,
    ...entry,
  }));
  await client.query(STAGE, [JSON.stringify(rows)]);
}

/** Tells the planner how many entries there are. */
async function endStaging(client: Client): Promise<void> {
  await client.query("ANALYZE staged");
}

/** Reads all lines of a file into the temporary table, and returns those that break a rule. */
export async function stageLines(
  client: Client,
  lines: AsyncIterable<readonly FileLine[]>,
): Promise<BadLines> {
  const badLines = new BadLines();
  await createStaging(client);
  for await (const batch of lines) {
    const staged: StagedEntry[] = [];
    const bad: BadLine[] = [];
    for (const line of batch) {
      const read = readEntry(line);
      if ("entry" in read) {
        staged.push({ line: line.line, ...read });
        continue;
      }
      const { reason, category: slug } = read;
      bad.push({ line: line.line, reason });
      // Staged nevertheless, so that the category's products are not refused as well.
      if (slug !== undefined) {
        staged.push({ line: line.line, entry: { type: "category", slug }, isDerived: false });
      }
    }
    badLines.add(bad);
    await stage(client, staged);
  }
  await endStaging(client);
  return badLines;
}
