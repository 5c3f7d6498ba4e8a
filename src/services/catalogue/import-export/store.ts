import type { Client } from "pg";
import { columnName } from "../../../vocabulary/columns";
import { ConcurrentChange } from "../../../database/statements/failures";
import { blocksOthers } from "../../../database/statements/lock-holders";
import { changeable, tables, type EntryType } from "./entries";
import type { PlanCounts } from "./plan";

/** Rows in one statement. Others wait for a row of the import for about one statement. */
const CHUNK = 1_000;

/** With so few chunks left, finishing is quicker than starting anew. */
const FEW = 3;

export interface StoreOptions {
  /** Whether the import rolls back what it has stored if another session waits for it. */
  readonly givesWay: boolean;
  /** Called after each statement with the number of stored entries, and of all entries to be stored. */
  readonly onProgress: (done: number, total: number) => void;
}

const columnOf = (name: string): string => (name === "category" ? "category_id" : columnName(name));

/** The value of a field's column; `time` is that of an entry that leaves its time out. */
function valueOf(name: string, time: string): string {
  if (name === "category") return "(SELECT id FROM categories WHERE slug = staged.category)";
  return name === "createdAt" ? `coalesce(staged."createdAt", ${time})` : `staged."${name}"`;
}

function creation(type: EntryType): string {
  const names = ["slug", ...changeable(type)];
  return `
    INSERT INTO ${tables[type]} (${names.map(columnOf).join()})
    SELECT ${names.map((name) => valueOf(name, "now()")).join()} FROM planned JOIN staged USING (line)
    WHERE planned.type = '${type}' AND is_new AND position BETWEEN $1 AND $2 ORDER BY position`;
}

/** Locks are taken in the order of ids, as everywhere. */
function change(type: EntryType): string {
  const table = tables[type];
  const values = changeable(type).map(
    (name) => `${columnOf(name)} = ${valueOf(name, `${table}.created_at`)}`,
  );
  if (type === "product") values.push("updated_at = clock_timestamp()");
  return `
    WITH locked AS MATERIALIZED (
      SELECT ${table}.id, line FROM planned JOIN ${table} USING (id)
      WHERE type = '${type}' AND NOT is_new AND position BETWEEN $1 AND $2
      ORDER BY id FOR NO KEY UPDATE OF ${table}
    )
    UPDATE ${table} SET ${values.join()} FROM locked JOIN staged USING (line) WHERE ${table}.id = locked.id`;
}

/**
 * Writes the planned entries, in the transaction of the plan. New entries come first, because nobody can wait
 * for them; changed ones are locked for as short as possible.
 *
 * @throws ConcurrentChange if another session waits for the transaction, which must then be rolled back
 */
export async function store(
  client: Client,
  { categories, products }: PlanCounts,
  { givesWay, onProgress }: StoreOptions,
): Promise<void> {
  const chunks = [
    ...chunksOf(creation("category"), categories.created),
    ...chunksOf(creation("product"), products.created),
    ...chunksOf(change("product"), products.changed),
    ...chunksOf(change("category"), categories.changed),
  ];
  const total = chunks.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  let done = 0;
  for (const [index, { statement, first, last }] of chunks.entries()) {
    if (givesWay && chunks.length - index > FEW && (await blocksOthers(client))) {
      throw new ConcurrentChange("Another session waits for the import");
    }
    await client.query(statement, [first, last]);
    done += last - first + 1;
    onProgress(done, total);
  }
}

const chunksOf = (statement: string, count: number) =>
  Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => ({
    statement,
    first: index * CHUNK + 1,
    last: Math.min((index + 1) * CHUNK, count),
  }));
