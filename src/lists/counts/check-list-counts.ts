import type { Client } from "pg";

/** A part of a list of which another number is kept than it has rows. */
export interface ListCountFault {
  readonly table: string;
  /** Its filter, such as `status=PAID`; empty for the list of all rows. */
  readonly list: string;
  /** The height of the part in the tree of segments; 2 is the whole list. */
  readonly height: number;
  /** Where the part begins, in PostgreSQL's text for the session; `-infinity` for the first. */
  readonly from: string;
  readonly kept: number;
  readonly counted: number;
}

/** What a check of the kept lists has found, all in one snapshot. */
export interface ListCheck {
  /** Tables whose lists are not counted at present, so that readers count for themselves. */
  readonly uncounted: string[];
  readonly lists: number;
  readonly faults: ListCountFault[];
}

/** Counts every list (seconds for millions of rows) and compares it with what is kept. Changes nothing. */
export async function checkLists(client: Client): Promise<ListCheck> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    await client.query("SET LOCAL statement_timeout = 0");
    const uncounted = await client.query<{ table: string }>(
      `SELECT table_name AS table FROM kept_tables
       WHERE NOT is_counted OR EXISTS (
         SELECT FROM list_changes AS c
         WHERE c.table_name = kept_tables.table_name AND id > folded_to AND lists = '{}')
       ORDER BY table_name`,
    );
    const lists = await client.query<{ table: string; list: string }>(
      // Lists without a name belong to categories that were deleted.
      `SELECT DISTINCT table_name AS table, list
       FROM (SELECT table_name, list FROM kept_list_names
             UNION SELECT table_name, list FROM list_segments) AS lists
       JOIN kept_tables USING (table_name)
       WHERE table_name <> ALL ($1) ORDER BY table_name, list`,
      [uncounted.rows.map(({ table }) => table)],
    );
    const faults: ListCountFault[] = [];
    for (const { table, list } of lists.rows) {
      const found = await client.query<ListCountFault>(
        `SELECT $1::text AS table, $2::text AS list, height, from_created_at::text AS from,
           kept::integer, counted::integer FROM list_faults($1, $2)`,
        [table, list],
      );
      faults.push(...found.rows);
    }
    const names = uncounted.rows.map(({ table }) => table);
    return { uncounted: names, lists: lists.rows.length, faults };
  } finally {
    await client.query("ROLLBACK");
  }
}
