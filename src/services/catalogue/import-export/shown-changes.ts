import type { Client } from "pg";
import type { Held } from "../../../vocabulary/columns";
import type { CatalogueEntry } from "./entries";
import { changeable, entryTables, type EntryTable } from "./entry-tables";

/** A field's value before and after a change. Times and prices are texts; null means that there is none. */
export interface FieldChange {
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
