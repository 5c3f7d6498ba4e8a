import type { Client } from "pg";
import { changeable, entryTables } from "./entry-tables";

/** How many entries of a kind an import creates, changes and leaves alone. */
export interface Counts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** What an import does, in numbers. */
export interface PlanCounts {
  readonly categories: Counts;
  readonly products: Counts;
}

/** The entries of a kind that are to be written. The rest are stored as they are in the file. */
const written = Object.values(entryTables).map((kind) => {
  const { type, table, joins } = kind;
  const stored = changeable(kind).map((field) => field.stored);
  const changed = changeable(kind).map((field) => field.changed);
  return `
    SELECT type, line, ${table}.id
    FROM staged LEFT JOIN ${table} ON ${table}.slug = staged.slug AND NOT is_derived ${joins}
    WHERE type = '${type}' AND (${table}.id IS NULL
      OR ROW(${stored.join()}) IS DISTINCT FROM ROW(${changed.join()}))`;
});

const PLAN = `
  CREATE TEMPORARY TABLE planned ON COMMIT DROP AS
  SELECT type, id IS NULL AS is_new, line, id,
    row_number() OVER (PARTITION BY type, id IS NULL ORDER BY id, line) AS position
  FROM (${written.join(" UNION ALL ")}) AS written`;

/** Finds out, within a transaction, what the staged entries would change in the shop as it is now. */
export async function plan(client: Client): Promise<PlanCounts> {
  await client.query(PLAN);
  await client.query("CREATE INDEX ON planned (type, is_new, position); ANALYZE planned");
  const { rows } = await client.query<Counts & { readonly type: string }>(
    `SELECT type, created, changed, total - created - changed AS unchanged FROM (
       SELECT type, count(*)::integer AS total,
         (SELECT count(*)::integer FROM planned WHERE type = staged.type AND is_new) AS created,
         (SELECT count(*)::integer FROM planned WHERE type = staged.type AND NOT is_new) AS changed
       FROM staged GROUP BY type
     ) AS counts`,
  );
  const countsOf = (wanted: string): Counts => {
    const {
      created = 0,
      changed = 0,
      unchanged = 0,
    } = rows.find(({ type }) => type === wanted) ?? {};
    return { created, changed, unchanged };
  };
  return { categories: countsOf("category"), products: countsOf("product") };
}
