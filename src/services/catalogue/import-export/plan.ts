import type { Client } from "pg";
import { changeable, stored, type EntryType } from "./entries";

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

const NOTHING: Counts = { created: 0, changed: 0, unchanged: 0 };

export const NO_COUNTS: PlanCounts = { categories: NOTHING, products: NOTHING };

/** A field as it will be: a time that the entry leaves out stays as it is. */
const wanted = (name: string): string =>
  name === "createdAt" ? `coalesce(staged."createdAt", stored."createdAt")` : `staged."${name}"`;

/** The entries of a kind that are to be written. The rest are stored as they are in the file. */
function written(type: EntryType): string {
  const names = changeable(type);
  const before = names.map((name) => `stored."${name}"`).join();
  const after = names.map(wanted).join();
  return `
    SELECT type, line, stored.id
    FROM staged LEFT JOIN (${stored[type]}) AS stored ON stored.slug = staged.slug AND NOT is_derived
    WHERE type = '${type}' AND (stored.id IS NULL OR ROW(${before}) IS DISTINCT FROM ROW(${after}))`;
}

const PLAN = `
  CREATE TEMPORARY TABLE planned ON COMMIT DROP AS
  SELECT type, id IS NULL AS is_new, line, id,
    row_number() OVER (PARTITION BY type, id IS NULL ORDER BY id, line) AS position
  FROM (${written("category")} UNION ALL ${written("product")}) AS written`;

const COUNTS = `
  SELECT type, created, changed, total - created - changed AS unchanged FROM (
    SELECT type, count(*)::integer AS total,
      (SELECT count(*)::integer FROM planned WHERE type = staged.type AND is_new) AS created,
      (SELECT count(*)::integer FROM planned WHERE type = staged.type AND NOT is_new) AS changed
    FROM staged GROUP BY type
  ) AS counts`;

/** Finds out, within a transaction, what the staged entries would change in the shop as it is now. */
export async function plan(client: Client): Promise<PlanCounts> {
  await client.query(PLAN);
  await client.query("CREATE INDEX ON planned (type, is_new, position); ANALYZE planned");
  const { rows } = await client.query<Counts & { readonly type: EntryType }>(COUNTS);
  const countsOf = (wanted: EntryType): Counts => {
    const { type: _, ...counts } = rows.find(({ type }) => type === wanted) ?? {
      ...NOTHING,
      type: wanted,
    };
    return counts;
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
  readonly type: EntryType;
  readonly slug: string;
  readonly fields: readonly FieldChange[];
}

type Texts = Readonly<Record<string, string | null>>;

/** The fields of a row as texts, by name. */
const texts = (row: string): string =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(${row})))`;

const storedTexts = (type: EntryType): string =>
  `WHEN '${type}' THEN (SELECT ${texts("stored")} FROM (${stored[type]}) AS stored WHERE id = planned.id)`;

const CHANGES = `
  SELECT staged.type, slug, ${texts("staged")} AS after,
    CASE planned.type ${storedTexts("category")} ${storedTexts("product")} END AS before
  FROM planned JOIN staged USING (line) ORDER BY line LIMIT $1`;

/** The first `most` entries that are planned to be written, in the order of the file, to be shown. */
export async function shownChanges(client: Client, most: number): Promise<EntryChange[]> {
  const { rows } = await client.query<
    Pick<EntryChange, "type" | "slug"> & { readonly before: Texts | null; readonly after: Texts }
  >(CHANGES, [most]);
  return rows.map(({ type, slug, before, after }) => {
    const names = before ? changeable(type) : [];
    const changes = names.map((field) => {
      const from = shown(field, before?.[field]);
      return { field, from, to: shown(field, after[field]) ?? from };
    });
    return { type, slug, fields: changes.filter(({ from, to }) => from !== to) };
  });
}

function shown(field: string, text: string | null | undefined): FieldChange["from"] {
  if (text === null || text === undefined) return null;
  if (field === "isActive") return text === "true";
  return field === "createdAt" ? new Date(text).toISOString() : text;
}
