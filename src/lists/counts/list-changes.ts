import type { Client } from "pg";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/statements/sql";
import { withoutTimeout } from "../../database/connection/with-client";

/** The most changes that one statement of the pool may fold. That takes a tenth of a second. */
const FEW = 10_000;

/** From about this many changes on, counting all lists anew is quicker than folding. */
const MANY = 200_000;

/**
 * Folds the changes of a table's lists into the stored counts. Does nothing if another session is folding them.
 * Returns false, and does nothing, if there are too many changes for a connection of the pool, or if the lists
 * must be counted: then call {@link refreshListCounts}.
 */
export async function compactListCounts(sequelize: Sequelize, table: string): Promise<boolean> {
  const [row] = await runSql<{ folded: number | null }>(
    sequelize,
    sql`SELECT fold_changes(${table}, ${FEW}) AS folded`,
  );
  return typeof row?.folded === "number";
}

/**
 * Folds any number of changes of a table's lists, or counts the lists if they must be counted. Both can take
 * seconds, but nobody has to wait meanwhile.
 */
export async function refreshListCounts(client: Client, table: string): Promise<void> {
  const folded = await withoutTimeout(client, async () => {
    const { rows } = await client.query<{ folded: number | null }>(
      "SELECT fold_changes($1, $2) AS folded",
      [table, MANY],
    );
    return rows[0]?.folded;
  });
  // In a transaction of its own: one that has written something can't tell up to which id it sees all changes.
  if (folded === null) await countLists(client, table);
}

/** Counts all lists of a table. Returns false if another session is counting or folding them. */
export async function countLists(client: Client, table: string): Promise<boolean> {
  return withoutTimeout(client, async () => {
    const { rows } = await client.query<{ done: boolean }>("SELECT count_lists($1) AS done", [
      table,
    ]);
    return rows[0]?.done === true;
  });
}
