import { dataOf } from "../graphql/client";
import type { TestApp } from "../support/app";

/** An entry of the audit log, as GraphQL shows it. */
export interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string | null;
  readonly door: string;
  readonly operation: string;
  readonly subject: string;
  readonly subjectId: number | null;
  readonly changes: readonly Change[];
  readonly address: string | null;
  readonly requestId: string | null;
  readonly source: string | null;
}

/** A field that a change has set. */
export interface Change {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

const SELECTION = `id at actor door operation subject subjectId changes { field before after }
  address requestId source`;

/** The newest entries that meet the filter, 50 at most, oldest first. */
export async function entries(app: TestApp, filter: object = {}): Promise<Entry[]> {
  const document = `query ($filter: AuditFilter) {
    auditLog(first: 50, filter: $filter) { edges { node { ${SELECTION} } } }
  }`;
  const { auditLog } = await dataOf<{ auditLog: { edges: { node: Entry }[] } }>(app, document, {
    filter,
  });
  return auditLog.edges.map(({ node }) => node).reverse();
}

/** The entries that `work` leaves, oldest first, and its result. */
export async function leftBy<T>(
  app: TestApp,
  work: () => Promise<T>,
): Promise<{ readonly left: Entry[]; readonly result: T }> {
  const [last] = await app.sql<{ id: number }>(
    "SELECT coalesce(max(id), 0) AS id FROM audit_entries",
  );
  const result = await work();
  const all = await entries(app);
  return { left: all.filter(({ id }) => Number(id) > last!.id), result };
}

/** A change of a field, for comparisons. */
export const change = (field: string, before: string | null, after: string | null): Change => ({
  field,
  before,
  after,
});

/** A row by the names of its columns; undefined if there is none. */
export async function rowOf(
  { sql }: Pick<TestApp, "sql">,
  table: string,
  id: number,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await sql<Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = $1`, [id]);
  return row;
}

/** Columns that no entry shows. */
export const hiddenColumns: readonly string[] = [
  ...["id", "version", "updated_at", "search_text"],
  ...["secret", "previous_secret", "failing_since"],
];

/** Columns whose values no entry shows. */
const withheldColumns: readonly string[] = [
  ...["password_hash", "consented_at", "consent_address", "requested_at", "requested_version"],
];

/** The changes that an entry shows of a row as it was and as it is. */
export function shownChanges(
  before: Record<string, unknown> | undefined,
  after: Record<string, unknown> | undefined,
): Change[] {
  return Object.keys(before ?? after ?? {})
    .filter((column) => !hiddenColumns.includes(column))
    .filter((column) => textOf(before?.[column]) !== textOf(after?.[column]))
    .map((column) =>
      withheldColumns.includes(column)
        ? change(fieldOf(column), null, null)
        : change(fieldOf(column), textOf(before?.[column]), textOf(after?.[column])),
    );
}

/** GraphQL's name of a column. */
export const fieldOf = (column: string): string =>
  column === "password_hash"
    ? "password"
    : column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? value : JSON.stringify(value);
};
