import type { Client } from "pg";

/** A part of a list whose stored count differs from its number of rows. */
export interface ListCountMismatch {
  readonly table: string;
  /** Its filter, such as `status=PAID`; empty for the list of all rows. */
  readonly list: string;
  /** The height of the part in the tree of segments; 2 is the whole list. */
  readonly height: number;
  /** The time at which the part begins, as PostgreSQL writes it in the session; `-infinity` for the first part. */
  readonly from: string;
  readonly kept: number;
  readonly counted: number;
}

/** What a check of the stored counts has found, all in one snapshot. */
export interface ListCheck {
  /** Tables without stored counts at present. Reads of their lists count the rows themselves. */
  readonly uncounted: string[];
  readonly lists: number;
  readonly mismatches: ListCountMismatch[];
}

/** Counts every list (seconds for millions of rows) and compares it with the stored counts. Changes nothing. */
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
    const names = uncounted.rows.map(({ table }) => table);
    const lists = await client.query<{ table: string; list: string }>(
      // Segments of lists that kept_list_names lacks belong to deleted categories.
      `SELECT DISTINCT table_name AS table, list
       FROM (SELECT table_name, list FROM kept_list_names
             UNION SELECT table_name, list FROM list_segments) AS lists
       JOIN kept_tables USING (table_name)
       WHERE table_name <> ALL ($1) ORDER BY table_name, list`,
      [names],
    );
    const mismatches: ListCountMismatch[] = [];
    for (const { table, list } of lists.rows) {
      const found = await client.query<ListCountMismatch>(
        `SELECT $1::text AS table, $2::text AS list, height, from_created_at::text AS from,
           kept::integer, counted::integer FROM list_faults($1, $2)`,
        [table, list],
      );
      mismatches.push(...found.rows);
    }
    return { uncounted: names, lists: lists.rows.length, mismatches };
  } finally {
    await client.query("ROLLBACK");
  }
}
