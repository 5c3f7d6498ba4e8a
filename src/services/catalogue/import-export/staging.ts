import type { Client } from "pg";
import { entryFields, stored } from "./entries";
import { readEntry, type FileLine } from "./read-entry";

/** A line of a file that can't be imported; the first line is 1. */
export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

/** The bad lines of a file: the first few of them, by line, and their number. */
export interface BadLines {
  readonly first: readonly BadLine[];
  readonly total: number;
}

/** The most bad lines that are collected. */
const MOST_BAD_LINES = 1_000;

/** The most characters of a reason; a property that should not exist may have any name. */
const LONGEST_REASON = 300;

const byLine = (one: BadLine, other: BadLine): number => one.line - other.line;

const fields = entryFields.product
  .filter((name) => name !== "type")
  .map((name) => `"${name}"`)
  .join();

/** The fields have the types and collations of the columns that they are stored in. The session's end drops the table. */
const CREATE = `
  CREATE TEMPORARY TABLE staged AS
  SELECT 0 AS line, '' AS type, false AS is_derived, ${fields} FROM (${stored.product}) AS stored WITH NO DATA`;

const STAGE = "INSERT INTO staged SELECT * FROM json_populate_recordset(NULL::staged, $1)";

/** Reads all lines of a file into the temporary table `staged`, and returns those that break a rule. */
export async function stageLines(
  client: Client,
  lines: AsyncIterable<readonly FileLine[]>,
): Promise<BadLines> {
  await client.query(CREATE);
  await client.query("ALTER TABLE staged ADD PRIMARY KEY (line)");
  const first: BadLine[] = [];
  let total = 0;
  for await (const batch of lines) {
    const staged: object[] = [];
    for (const fileLine of batch) {
      const { line } = fileLine;
      const read = readEntry(fileLine);
      if ("entry" in read) {
        staged.push(Object.assign(read.entry, { line, is_derived: read.isDerived }));
        continue;
      }
      total += 1;
      if (first.length < MOST_BAD_LINES) {
        first.push({ line, reason: read.reason.slice(0, LONGEST_REASON) });
      }
      // Staged nevertheless, so that the category's products are not refused as well.
      const { category: slug } = read;
      if (slug !== undefined) staged.push({ line, is_derived: false, type: "category", slug });
    }
    await client.query(STAGE, [JSON.stringify(staged)]);
  }
  await client.query("ANALYZE staged");
  return { first, total };
}

const CONTRADICTIONS = `
  WITH entries AS (
    SELECT type, line, slug, is_derived, name IS NULL AS is_wrong,
      min(line) OVER (PARTITION BY type, slug) AS first
    FROM staged)
  SELECT line, string_agg(reason, '; ' ORDER BY reason DESC) AS reason,
    (count(*) OVER ())::integer AS total FROM (
    SELECT line, format('slug %s is in line %s already', slug, first) AS reason
    FROM entries WHERE line > first AND NOT is_wrong
    UNION ALL
    -- A stored entry is changed only if the file has its slug: another entry may have the same name.
    SELECT line, format('slug %s, derived from the name, exists already: to change that %s, write the slug', slug, type)
    FROM entries WHERE is_derived AND line = first AND CASE type
      WHEN 'category' THEN EXISTS (SELECT FROM categories WHERE slug = entries.slug)
      ELSE EXISTS (SELECT FROM products WHERE slug = entries.slug) END
    UNION ALL
    SELECT line, format('category %s does not reference an existing category', category)
    FROM staged WHERE category IS NOT NULL
      AND NOT EXISTS (SELECT FROM categories WHERE slug = category)
      AND category NOT IN (SELECT slug FROM staged WHERE type = 'category')
  ) AS contradictions GROUP BY line ORDER BY line LIMIT ${MOST_BAD_LINES}`;

/**
 * Adds the lines that contradict other lines or the shop: a repeated slug, a derived slug that exists already, or an
 * unknown category. Of a line that breaks a rule, only the slug is staged, so each line is added once.
 */
export async function withContradictions(client: Client, bad: BadLines): Promise<BadLines> {
  const { rows } = await client.query<BadLine & { readonly total: number }>(CONTRADICTIONS);
  const found = rows.map(({ line, reason }) => ({ line, reason: reason.slice(0, LONGEST_REASON) }));
  return {
    first: [...bad.first, ...found].sort(byLine).slice(0, MOST_BAD_LINES),
    total: bad.total + (rows[0]?.total ?? 0),
  };
}
