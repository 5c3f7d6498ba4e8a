import type { Client } from "pg";
import type { Held } from "../../../vocabulary/columns";
import { changeable, entryTables, type CatalogueEntry, type EntryTable } from "./entry-tables";

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

/** A field's value before and after a change. Times and prices are texts; null means that there is none. */
interface FieldChange {
  readonly field: string;
  readonly from: string | boolean | null;
  readonly to: string | boolean | null;
}

/** An entry that an import creates or, if `fields` is not empty, changes. */
export interface EntryChange {
  readonly type: CatalogueEntry["type"];
  readonly slug: string;
  readonly fields: readonly FieldChange[];
}

/** A field as JSON has it; times are milliseconds since 1970. */
type Value = string | boolean | number | null;

interface Row {
  readonly type: CatalogueEntry["type"];
  readonly slug: string;
  /** The fields as they are stored and as they will be; null for a new entry. */
  readonly fields: Readonly<Record<string, readonly [from: Value, to: Value]>> | null;
}

function asJson(value: string, holds: Held): string {
  if (holds === "time") return `(extract(epoch FROM ${value}) * 1000)::bigint`;
  return holds === "decimal" ? `(${value})::text` : value;
}

/** For planned entries of a kind: the fields of the stored entry, before and after. */
const fieldsOf = (kind: EntryTable): string => {
  const { type, table, joins } = kind;
  const pairs = changeable(kind).map(
    ({ name, holds, stored, changed }) =>
      `'${name}', json_build_array(${asJson(stored, holds)}, ${asJson(changed, holds)})`,
  );
  return `
    WHEN '${type}' THEN (
      SELECT json_build_object(${pairs.join()}) FROM ${table} ${joins} WHERE ${table}.id = planned.id
    )`;
};

/** The first `most` entries that are planned to be written, in the order of the file, to be shown. */
export async function shownChanges(client: Client, most: number): Promise<EntryChange[]> {
  const { rows } = await client.query<Row>(
    `SELECT staged.type, staged.slug, CASE planned.type ${Object.values(entryTables).map(fieldsOf).join("")} END AS fields
     FROM planned JOIN staged USING (line) ORDER BY line LIMIT $1`,
    [most],
  );
  return rows.map(({ type, slug, fields }) => ({
    type,
    slug,
    fields: Object.entries(fields ?? {}).flatMap(([field, [from, to]]) =>
      from === to ? [] : [{ field, from: shown(from), to: shown(to) }],
    ),
  }));
}

const shown = (value: Value): FieldChange["from"] =>
  typeof value === "number" ? new Date(value).toISOString() : value;
