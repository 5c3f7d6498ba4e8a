import type { Client } from "pg";
import { ConcurrentChange } from "../../../database/statements/failures";
import { blocksOthers } from "../../../database/statements/lock-holders";
import { changeable, entryTables, type EntryTable } from "./entry-tables";
import type { PlanCounts } from "./plan";

/** Rows in one statement. Whoever waits for a row of the import waits for about one statement. */
const CHUNK = 1_000;

/** With so few chunks left, finishing is quicker than giving way. */
const FEW = 3;

export interface StoreOptions {
  /** Whether the import rolls back what it has stored if another session waits for it. */
  readonly givesWay: boolean;
  /** Called after each statement with the number of stored entries, and of all entries to be stored. */
  readonly onProgress: (done: number, total: number) => void;
}

const createEntries = ({ type, table, fields }: EntryTable): string => `
  INSERT INTO ${table} (${fields.map(({ column }) => column).join()})
  SELECT ${fields.map(({ valueOf, created }) => valueOf(created)).join()}
  FROM planned JOIN staged USING (line)
  WHERE planned.type = '${type}' AND is_new AND position BETWEEN $1 AND $2 ORDER BY position`;

/** Locks are taken in the order of ids, as everywhere. */
const changeEntries = (kind: EntryTable): string => {
  const { type, table, touched } = kind;
  const changes = changeable(kind).map(
    ({ column, valueOf, changed }) => `${column} = ${valueOf(changed)}`,
  );
  return `
  WITH locked AS MATERIALIZED (
    SELECT ${table}.id, line FROM planned JOIN ${table} USING (id)
    WHERE type = '${type}' AND NOT is_new AND position BETWEEN $1 AND $2
    ORDER BY id FOR NO KEY UPDATE OF ${table}
  )
  UPDATE ${table} SET ${[...changes, ...touched].join()}
  FROM locked JOIN staged USING (line) WHERE ${table}.id = locked.id`;
};

/**
 * Writes the planned entries, in the transaction of the plan. New entries come first, because nobody can wait
 * for them; changed ones are locked for as short as possible.
 *
 * @throws ConcurrentChange if somebody waits for the transaction, which must then be rolled back
 */
export async function store(
  client: Client,
  { categories, products }: PlanCounts,
  { givesWay, onProgress }: StoreOptions,
): Promise<void> {
  const chunks = [
    ...chunksOf(createEntries(entryTables.category), categories.created),
    ...chunksOf(createEntries(entryTables.product), products.created),
    ...chunksOf(changeEntries(entryTables.product), products.changed),
    ...chunksOf(changeEntries(entryTables.category), categories.changed),
  ];
  const total = chunks.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  let done = 0;
  for (const [index, { statement, first, last }] of chunks.entries()) {
    if (givesWay && chunks.length - index > FEW && (await blocksOthers(client))) {
      throw new ConcurrentChange("Somebody waits for the import");
    }
    await client.query(statement, [first, last]);
    done += last - first + 1;
    onProgress(done, total);
  }
}

/** A statement for some of the positions of a plan. */
interface Chunk {
  readonly statement: string;
  readonly first: number;
  readonly last: number;
}

const chunksOf = (statement: string, count: number): Chunk[] =>
  Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => ({
    statement,
    first: index * CHUNK + 1,
    last: Math.min((index + 1) * CHUNK, count),
  }));
