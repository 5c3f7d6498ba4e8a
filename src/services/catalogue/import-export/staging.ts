import type { Client } from "pg";
import type { ImportedEntry } from "./read-entry";

/** An entry of a file, and its line. */
export interface StagedEntry {
  readonly line: number;
  readonly entry: Partial<ImportedEntry> & Pick<ImportedEntry, "type" | "slug">;
}

/** Creates the temporary table of the file's entries. It is gone when the session ends, however it ends. */
export async function createStaging(client: Client): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE staged (
       line integer PRIMARY KEY,
       type text NOT NULL,
       slug text COLLATE "C" NOT NULL,
       name text COLLATE "C",
       is_active boolean,
       created_at timestamptz(3),
       category text COLLATE "C",
       price numeric(10, 2),
       description text
     )`,
  );
}

/** Stores a batch of entries. Nobody else sees them, and nobody waits. */
export async function stage(client: Client, batch: readonly StagedEntry[]): Promise<void> {
  const rows = batch.map(({ line, entry }) => ({
    ...entry,
    line,
    createdAt: entry.createdAt?.getTime(),
  }));
  await client.query(
    `INSERT INTO staged (line, type, slug, name, is_active, created_at, category, price, description)
     SELECT line, type, slug, name, "isActive",
       timestamptz 'epoch' + "createdAt" * interval '1 millisecond', category, price, description
     FROM json_to_recordset($1) AS row (
       line integer, type text, slug text, name text, "isActive" boolean, "createdAt" bigint,
       category text, price numeric, description text
     )`,
    [JSON.stringify(rows)],
  );
}

/** Tells the planner how many entries there are. */
export async function endStaging(client: Client): Promise<void> {
  await client.query("ANALYZE staged");
}
