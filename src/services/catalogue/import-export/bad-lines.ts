import type { Client } from "pg";
import { entryTables } from "./entry-tables";

/** A line of a file that can't be imported. */
export interface BadLine {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

/** The most bad lines that are collected. */
const MOST_BAD_LINES = 1_000;

/** The most characters of a reason; a property that should not exist may have any name. */
const LONGEST_REASON = 300;

/** Collects the bad lines of a file: the first few of them, and their number. */
export class BadLines {
  private lines: BadLine[] = [];
  private count = 0;

  /** The first ones, by line. */
  get first(): readonly BadLine[] {
    return this.lines;
  }

  get total(): number {
    return this.count;
  }

  /** Adds lines. `total` is the number of lines to count, if more were found than are given. */
  add(lines: readonly BadLine[], total: number = lines.length): void {
    this.count += total;
    if (lines.length === 0) return;
    const shortened = lines.map(({ line, reason }) => ({
      line,
      reason: reason.slice(0, LONGEST_REASON),
    }));
    this.lines = [...this.lines, ...shortened]
      .sort((one, other) => one.line - other.line)
      .slice(0, MOST_BAD_LINES);
  }
}

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
