import type { Sequelize } from "sequelize-typescript";
import sql, { join, raw, type Sql } from "sql-template-tag";
import type { CatalogueSettings } from "../config/settings";
import { besidePool } from "../database/connection/beside-pool";
import { tableOf, type ModelTable } from "../database/statements/columns";
import { inSnapshot, type Snapshot } from "../database/statements/snapshot";
import { runSql } from "../database/statements/sql";
import { BoundedQueue } from "../vocabulary/bounded-queue";
import { columnName, type Column } from "../vocabulary/columns";
import { unavailable } from "../vocabulary/errors";
import { LONGEST_CACHED } from "./catalogue-cache";
import { catalogueVersionIn } from "./catalogue-version";
import type { ReadPool } from "./read-pool";

/** More rows than a list has that can be cached: the object of a row takes at least 80 characters. */
const MOST_ROWS = LONGEST_CACHED / 80;

/** How many long lists are sent at a time, how many may wait, and for how many milliseconds. */
const LONG_LISTS = { concurrency: 2, waiting: 16, patience: 5_000 };

/** Rows that are read at a time. Their texts are in memory until the client takes them; a description has up to 20 kB. */
const PART = 250;

/** A client that takes nothing for so long is cut off. The role's limit, of 5 s, is for transactions that hang. */
const SETTINGS = "SET LOCAL idle_in_transaction_session_timeout = '15s'";

/**
 * The rows of a list without pages. The database writes their JSON objects, because building very many of them here
 * would block the event loop. Decimals are texts, and times are ISO 8601 in UTC.
 */
interface Rows {
  readonly model: ModelTable<object>;
  /** The columns in the object of a row, by attribute, in this order. */
  readonly columns: Readonly<Record<string, Column>>;
  readonly where: Sql;
  /** Should be the order of an index. Otherwise a long list is sorted as a whole before its first row is read. */
  readonly orderBy: Sql;
  /** A name for the statement that reads a short list, if it runs often; see {@link runSql}. */
  readonly name?: string | undefined;
}

/** Sends a list of this version of the catalogue, whose parts make up its text; none is read before it is taken. */
export type ListSender = (version: string, parts: AsyncIterable<string>) => Promise<void>;

/** A list without pages, as a JSON array. */
export interface WholeList {
  /** The list; undefined if it is a long one, which can't be cached. */
  readonly text: () => Promise<string | undefined>;
  /**
   * Reads the list from one snapshot, part by part, as fast as `send` takes the parts. Ends when `client` is aborted.
   *
   * @throws DomainError UNAVAILABLE if too many long lists are being sent, or if the client is gone
   */
  send(send: ListSender, client: AbortSignal): Promise<void>;
}

/**
 * Lists without pages. One of up to 1,000,000 characters is read like any other, a longer one by a cursor on a
 * connection of its own.
 */
export class WholeLists {
  private readonly queue = new BoundedQueue(LONG_LISTS);

  /** @param reads the database of short lists; long ones are read from the primary */
  constructor(
    private readonly reads: ReadPool,
    private readonly primary: Sequelize,
    private readonly settings: Pick<CatalogueSettings, "build">,
  ) {}

  /** Nothing is read before one of its methods is called. */
  of(rows: Rows): WholeList {
    return {
      text: () => shortText(this.reads.current, rows),
      send: (send, client) => this.queue.run(() => this.sendLong(rows, send, client), client),
    };
  }

  private async sendLong(rows: Rows, send: ListSender, signal: AbortSignal): Promise<void> {
    const read = async (snapshot: Snapshot): Promise<void> => {
      const version = await catalogueVersionIn(snapshot, this.settings.build);
      await send(version, partsOf(snapshot, rows));
    };
    try {
      await besidePool(this.primary, signal, (client) => inSnapshot(client, read, SETTINGS));
    } catch (error) {
      throw signal.aborted ? unavailable("abandoned") : error;
    }
  }
}

/** Reads a list in one statement, which reads no more of a long list than it must. */
async function shortText(
  database: Sequelize,
  { model, columns, where, orderBy, name }: Rows,
): Promise<string | undefined> {
  const [list] = await runSql<{ text: string | null }>(
    database,
    sql`SELECT CASE WHEN max(length) > ${LONGEST_CACHED} THEN NULL ELSE
          concat('[', string_agg(text, ',' ORDER BY place) FILTER (WHERE length <= ${LONGEST_CACHED}), ']')
        END AS text
        FROM (
          SELECT place, text, sum(length(text) + 1) OVER (ORDER BY place) + 1 AS length
          FROM (
            SELECT row_number() OVER (ORDER BY ${orderBy}) AS place, ${objectOf(columns)} AS text
            FROM ${tableOf(model)} WHERE ${where}
            ORDER BY ${orderBy} LIMIT ${MOST_ROWS}
          ) AS listed
        ) AS measured`,
    { name },
  );
  return list?.text ?? undefined;
}

/** Reads a list in parts; together they are its whole text. */
async function* partsOf(
  snapshot: Snapshot,
  { model, columns, where, orderBy }: Rows,
): AsyncGenerator<string, void> {
  const batches = snapshot.batches<{ text: string }>(
    sql`SELECT ${objectOf(columns)} AS text FROM ${tableOf(model)} WHERE ${where} ORDER BY ${orderBy}`,
    PART,
  );
  let before = "[";
  for await (const rows of batches) {
    yield before + rows.map(({ text }) => text).join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** The object of a row as text, as an SQL expression. */
const objectOf = (columns: Readonly<Record<string, Column>>): Sql => {
  const members = Object.entries(columns).map(
    ([name, column]) => sql`${valueOf(name, column)} AS ${raw(`"${name}"`)}`,
  );
  return sql`(SELECT row_to_json(object) FROM (SELECT ${join(members)}) AS object)::text`;
};

function valueOf(name: string, { holds }: Column): Sql {
  const column = raw(columnName(name));
  if (holds === "decimal") return sql`${column}::text`;
  if (holds === "time") return sql`to_char(${column} AT TIME ZONE 'UTC', ${ISO_8601})`;
  return column;
}

const ISO_8601 = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
