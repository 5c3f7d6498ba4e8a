import type { Client } from "pg";
import { entryFields, type CatalogueEntry } from "./entries";

/** A field before and after; times and prices are texts. */
export interface FieldChange {
  readonly field: string;
  readonly from: string | boolean;
  readonly to: string | boolean;
}

/** An entry that an import creates or, if it has fields, changes. */
export interface EntryChange {
  readonly type: CatalogueEntry["type"];
  readonly slug: string;
  readonly fields: readonly FieldChange[];
}

/** Times are milliseconds since 1970. */
type Values = Readonly<Record<string, string | boolean | number | null>>;

interface Row {
  readonly type: CatalogueEntry["type"];
  readonly slug: string;
  /** What is stored; null for a new entry. */
  readonly stored: Values | null;
  readonly staged: Values;
}

const milliseconds = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** The first `most` entries that are planned to be written, in the order of the file. */
export async function difference(client: Client, most: number): Promise<EntryChange[]> {
  const { rows } = await client.query<Row>(
    `SELECT staged.type, staged.slug,
       json_build_object('name', staged.name, 'isActive', staged.is_active,
         'createdAt', ${milliseconds("staged.created_at")}, 'category', staged.category, 'price', staged.price::text,
         'description', staged.description) AS staged,
       CASE WHEN planned.type = 'category' THEN (
         SELECT json_build_object('name', name, 'isActive', is_active, 'createdAt', ${milliseconds("created_at")})
         FROM categories WHERE categories.id = planned.id
       ) ELSE (
         SELECT json_build_object('name', p.name, 'isActive', p.is_active, 'createdAt', ${milliseconds("p.created_at")},
           'category', c.slug, 'price', p.price::text, 'description', p.description)
         FROM products AS p JOIN categories AS c ON c.id = category_id WHERE p.id = planned.id
       ) END AS stored
     FROM planned JOIN staged USING (line) ORDER BY line LIMIT $1`,
    [most],
  );
  return rows.map(changeOf);
}

function changeOf({ type, slug, stored, staged }: Row): EntryChange {
  if (!stored) return { type, slug, fields: [] };
  const fields = entryFields[type].flatMap((field) => {
    const [from, to] = [valueOf(field, stored), valueOf(field, staged)];
    return from === undefined || to === undefined || from === to ? [] : [{ field, from, to }];
  });
  return { type, slug, fields };
}

function valueOf(field: string, values: Values): string | boolean | undefined {
  const value = values[field] ?? undefined;
  return typeof value === "number" ? new Date(value).toISOString() : value;
}
