import type { Sequelize } from "sequelize-typescript";
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { columnsOf, tableOf, type ModelTable } from "../database/statements/columns";
import { runSql } from "../database/statements/sql";
import type { ReferencedRow } from "./referenced-row";

/** How a list's total is known without counting its rows each time. */
export interface ListTotal {
  /**
   * An expression with the total in the snapshot of its statement: a text that begins with the number. `count` is the
   * expression that counts the rows.
   */
  expression(count: Sql): Sql;
  /** Takes the value of the expression. */
  learn?(value: string): void;
  /** Reads the list; other reads that would count the same rows wait until this one has. */
  once?<T>(read: () => Promise<T>): Promise<T>;
}

/** A page of a model's rows. Conditions name columns without a table alias. */
export interface ListQuery<Row extends { id: number }> {
  /** The database to read. */
  readonly database: Sequelize;
  readonly model: ModelTable<Row>;
  readonly where: readonly Sql[];
  /** The conditions of a search, which few or many of the rows meet. */
  readonly search?: readonly Sql[] | undefined;
  /** The conditions of the search in a form that an index supports, if that form is another. */
  readonly indexed?: readonly Sql[] | undefined;
  /** Column to leave out of the SELECT. At most one per model, so that statement names stay unique. */
  readonly omittedColumn?: string | undefined;
  /** A row of another model that is read with each row of the page. */
  readonly reference?: ReferencedRow | undefined;
  /** A further condition, on the page only: the total also counts the rows that it excludes. */
  readonly from?: Sql;
  readonly orderBy: Sql;
  /** The same order backwards: pages in the second half of the list are read from its end. */
  readonly reversedBy?: Sql | undefined;
  /** Whether the list is read from its end; `name` does not say so. */
  readonly backwards?: boolean;
  readonly limit: number;
  readonly offset: bigint;
  /** Whether the total is wanted. */
  readonly counted: boolean;
  /** Cancels the statement when its client is gone. */
  readonly signal?: AbortSignal | undefined;
  /** A name for the conditions and the order, if the list is read often; see {@link runSql}. */
  readonly name?: string | undefined;
  /** The total, if it is stored or cached; otherwise the rows are counted. */
  readonly total?: ListTotal | undefined;
}

export interface ListPart<Row> {
  readonly rows: Row[];
  /** The number of all rows in the same snapshot, if it was to be counted. */
  readonly total: number;
}

type AnyQuery = ListQuery<{ id: number }>;

/** The columns of a row of the page, and the total of the list. An empty page has one row with only the total. */
type Counted<Row> = Row & { readonly list_total: string };

/**
 * Page sizes with a statement of their own: the default, and frequent ones. PostgreSQL caches a plan only if the
 * statement contains the size; otherwise it plans every read anew, at twice the cost of the read. A connection reads
 * one entry more than its size, to know whether the list goes on: hence 11, 21 and 51.
 */
const FREQUENT_SIZES: ReadonlySet<number> = new Set([10, 11, 20, 21, 50, 51]);

/**
 * Reads a page of a list and the number of all its rows in one statement, because two statements could see
 * different data (contract 8.3).
 */
export async function readList<Row extends { id: number }>(
  query: ListQuery<Row>,
): Promise<ListPart<Row>> {
  const { database, model, orderBy, counted, from, offset, search, signal } = query;
  if (offset > 0n || search) return readByIds(query);
  const rows = await runSql<Counted<Row>>(
    database,
    sql`SELECT ${selected(query)}, ${totalOf(query)} AS list_total
        ${matching(model, pageConditions(query))} ORDER BY ${orderBy} LIMIT ${sizeOf(query)}`,
    { name: nameOf(query), signal },
  );
  // If the first page has no rows, the list is empty. After a cursor, no row has the total.
  if (rows.length === 0 && counted && from) return readByIds(query);
  return partOf(rows, query);
}

/**
 * Reads a page by the ids of its rows: the rows before it are skipped in the index, and only those of the page are read
 * from the table. Returns the total even if the list ends before the page, which then reads no rows.
 */
async function readByIds<Row extends { id: number }>(
  query: ListQuery<Row>,
): Promise<ListPart<Row>> {
  const { database, model, orderBy, offset, signal, total } = query;
  // A total that is at hand shortens the way to a page, or spares the way to one beyond it.
  const counted = query.counted || (total !== undefined && offset > 0n);
  const known = { ...query, counted };
  const ids = counted ? idsWithin(query) : idsOf(query);
  const rows = await runSql<Counted<Row>>(
    database,
    sql`WITH totals AS MATERIALIZED (SELECT ${totalOf(known)} AS list_total)
        SELECT list_total, ${selected(query)}
        FROM totals LEFT JOIN LATERAL (
          SELECT * FROM ${tableOf(model)} WHERE id = ANY(ARRAY(${ids}))
        ) AS part ON true
        ORDER BY ${orderBy}`,
    { name: nameOf(known, "ids"), signal },
  );
  return partOf(rows, known);
}

/**
 * Reads the same page of several lists in one statement. The list of a key is the rows that have the key
 * in `column`. The result has an entry for every key.
 */
export async function readLists<Row extends { id: number }>(
  query: ListQuery<Row>,
  { column, keys }: { column: Sql; keys: readonly number[] },
): Promise<Map<number, ListPart<Row>>> {
  const { database, model, orderBy, signal, search } = query;
  const list = { ...query, where: [sql`${column} = list_key`, ...query.where] };
  const page = search
    ? sql`SELECT * FROM ${tableOf(model)} WHERE id = ANY(ARRAY(${idsOf(list)}))`
    : sql`SELECT * ${matching(model, pageConditions(list))} ${pageClauses(list)}`;
  const rows = await runSql<Counted<Row> & { list_key: number }>(
    database,
    sql`SELECT list_key, list_total, ${selected(query)}
        FROM unnest(${keys}::integer[]) AS lists (list_key)
        CROSS JOIN LATERAL (SELECT ${totalOf(list)} AS list_total) AS totals
        LEFT JOIN LATERAL (${page}) AS part ON true
        ORDER BY list_key, ${orderBy}`,
    { signal },
  );
  const byKey = new Map<number, Counted<Row>[]>(keys.map((key) => [key, []]));
  for (const row of rows) byKey.get(row.list_key)?.push(row);
  return new Map([...byKey].map(([key, those]) => [key, partOf(those, query)]));
}

/** The page and the total of a statement's rows. */
function partOf<Row extends { id: number }>(
  found: readonly Counted<Row>[],
  { reference, total, counted }: ListQuery<Row>,
): ListPart<Row> {
  const rows = found.filter(({ id }) => (id as number | null) !== null);
  if (reference) for (const row of rows) reference.parse(row);
  const value = found[0]?.list_total;
  if (value === undefined || !counted) return { rows, total: 0 };
  total?.learn?.(value);
  return { rows, total: Number.parseInt(value, 10) };
}

const hasFrequentSize = ({ name, limit }: AnyQuery): boolean =>
  name !== undefined && FREQUENT_SIZES.has(limit);

const sizeOf = (query: AnyQuery): Sql =>
  hasFrequentSize(query) ? raw(`${query.limit}`) : sql`${query.limit}`;

/** The name of a list's statement. Each variant has a text, and so a name, of its own; PostgreSQL cuts it after 63 bytes. */
function nameOf(query: AnyQuery, form: "" | "ids" = ""): string | undefined {
  const { name, backwards, counted, from, limit, omittedColumn, reference } = query;
  if (!hasFrequentSize(query) || (form && from)) return undefined;
  const variant = [
    form,
    reference && "joined",
    omittedColumn && "bare",
    backwards && "last",
    counted && "counted",
    from && "from",
  ].filter(Boolean);
  return [name, limit, ...variant].join(" ");
}

/** The conditions that the rows of the page meet. */
const pageConditions = ({ where, from }: Pick<AnyQuery, "where" | "from">): readonly Sql[] =>
  from ? [...where, from] : where;

/** The clauses that sort the rows and limit them to the page. As a subquery, the offset needs no plan of its own. */
const pageClauses = (query: AnyQuery): Sql =>
  sql`ORDER BY ${query.orderBy} LIMIT ${sizeOf(query)} OFFSET (SELECT ${query.offset.toString()}::bigint)`;

/** The same for a list with a total, `list_total`: from the nearer end, and none if the list ends before the page. */
function idsWithin(query: AnyQuery): Sql {
  const { model, where, search, reversedBy, offset } = query;
  const total = sql`split_part(list_total, ' ', 1)::bigint`;
  const skipped = sql`(SELECT ${offset.toString()}::bigint)`;
  const when = (condition: Sql) => ({ ...query, where: [...where, condition] });
  if (search || !reversedBy || offset === 0n) return idsOf(when(sql`${total} > ${skipped}`));
  const beyond = sql`${total} - ${skipped} - ${query.limit}::bigint`;
  const isLater = when(sql`${total} > ${skipped} AND ${total} < 2 * ${skipped}`);
  return sql`
    (${idsOf(when(sql`${total} >= 2 * ${skipped}`))})
    UNION ALL
    (SELECT id ${matching(model, pageConditions(isLater))} ORDER BY ${reversedBy}
     LIMIT greatest(0, ${query.limit}::bigint + least(0, ${beyond})) OFFSET greatest(0, ${beyond}))`;
}

/** Rows of the sorted list that are searched first: more than enough for a page of a frequent word. */
const SAMPLE = 2_000;

/** The ids of the rows of a page, as a subquery. */
function idsOf(query: AnyQuery): Sql {
  const { model, search, indexed = search, orderBy, offset, limit } = query;
  const conditions = pageConditions(query);
  if (!search || !indexed)
    return sql`SELECT id ${matching(model, conditions)} ${pageClauses(query)}`;
  const wanted = (offset + BigInt(limit)).toString();
  const nearest = sql`SELECT * ${matching(model, conditions)} ORDER BY ${orderBy} LIMIT ${SAMPLE}`;
  // With OFFSET 0, PostgreSQL finds all matches and sorts them. Otherwise it would sometimes scan the whole index of the
  // order: where words are frequent, but never occur together.
  const found = sql`SELECT * ${matching(model, [...conditions, ...indexed])} OFFSET 0`;
  return sql`
    WITH sample AS MATERIALIZED (
      SELECT id FROM (${nearest}) AS nearest WHERE ${join(search, " AND ")} ORDER BY ${orderBy} LIMIT ${wanted}
    )
    (SELECT id FROM sample WHERE (SELECT count(*) FROM sample) = ${wanted} OFFSET ${offset.toString()})
    UNION ALL
    (SELECT id FROM (${found}) AS found WHERE (SELECT count(*) FROM sample) < ${wanted} ${pageClauses(query)})`;
}

/** The columns of the rows of a list. */
const selected = ({
  model,
  omittedColumn,
  reference,
}: Pick<AnyQuery, "model" | "omittedColumn" | "reference">): Sql => {
  const columns = columnsOf(model, omittedColumn);
  return reference ? sql`${columns}, ${reference.column}` : columns;
};

/** The rows of a model that meet all conditions, as a FROM clause. */
const matching = (model: ModelTable<object>, conditions: readonly Sql[]): Sql =>
  sql`FROM ${tableOf(model)} ${conditions.length > 0 ? sql`WHERE ${join(conditions, " AND ")}` : empty}`;

/** The total of a list as an expression: a text that begins with the number; 0 if it is not counted. */
function totalOf({ model, where, search = [], indexed = search, counted, total }: AnyQuery): Sql {
  if (!counted) return sql`'0'`;
  const count = sql`(SELECT count(*)::integer ${matching(model, [...where, ...indexed])})`;
  return total ? total.expression(count) : sql`${count}::text`;
}
