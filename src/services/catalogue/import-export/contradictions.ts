import type { Client } from "pg";
import { entryTables } from "./entry-tables";
import { MOST_BAD_LINES, type BadLine, type BadLines } from "./bad-lines";

/** A stored entry is changed only if the file has its slug: another entry may have the same name. */
const derivedTwice = Object.values(entryTables).map(
  ({ type, table }) => `
    SELECT line, format('slug %s, derived from the name, exists already: to change that %s, write the slug', slug, type)
    FROM entries WHERE type = '${type}' AND is_derived AND line = first
      AND EXISTS (SELECT FROM ${table} WHERE ${table}.slug = entries.slug)`,
);

/**
 * Adds the lines that contradict other lines or the shop: a repeated slug, a derived slug that exists
 * already, or an unknown category. Each line is added once: a line that breaks a rule was added
 * before, and only its slug is staged.
 */
export async function addContradictions(client: Client, badLines: BadLines): Promise<void> {
  const { rows } = await client.query<BadLine & { readonly total: number }>(
    `WITH entries AS (
       SELECT type, line, slug, is_derived, name IS NULL AS is_wrong,
         min(line) OVER (PARTITION BY type, slug) AS first
       FROM staged)
     SELECT line, string_agg(reason, '; ' ORDER BY reason DESC) AS reason,
       (count(*) OVER ())::integer AS total FROM (
       SELECT line, format('slug %s is in line %s already', slug, first) AS reason
       FROM entries WHERE line > first AND NOT is_wrong
       UNION ALL ${derivedTwice.join(" UNION ALL ")}
       UNION ALL
       SELECT line, format('category %s does not reference an existing category', category)
       FROM staged WHERE category IS NOT NULL
         AND NOT EXISTS (SELECT FROM categories WHERE slug = category)
         AND category NOT IN (SELECT slug FROM staged WHERE type = 'category')
     ) AS contradictions GROUP BY line ORDER BY line LIMIT ${MOST_BAD_LINES}`,
  );
  badLines.add(rows, rows[0]?.total);
}
