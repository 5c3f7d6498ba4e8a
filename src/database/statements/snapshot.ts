import { types } from "node:util";
import type { Client } from "pg";
import { inClientTransaction } from "../connection/with-client";
import { send, type Statement } from "./sql";

/** Rows that are fetched at once, if not said otherwise: enough to be fast, and few enough to need little memory. */
const BATCH_SIZE = 1_000;

/** No time limits: the reader may be slow, such as a person with a pager, and nothing waits for the read. */
const UNLIMITED =
  "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/** The database at one moment: reads see only what was committed before it. */
export class Snapshot {
  constructor(private readonly client: Client) {}

  rows<Row extends object>(statement: Statement): Promise<Row[]> {
    return send<Row>(this.client, statement);
  }

  /**
   * All rows of a statement, a batch at a time, so that memory does not grow with their number. Other statements may
   * run between two batches, which pg's own cursors do not allow.
   */
  async *batches<Row extends object>(
    { text, values }: Statement,
    size = BATCH_SIZE,
  ): AsyncGenerator<Row[]> {
    await this.rows({ text: `DECLARE batches NO SCROLL CURSOR FOR ${text}`, values });
    const next = { text: `FETCH ${size} FROM batches`, values: [] };
    for (;;) {
      const rows = await this.rows<Row>(next);
      if (rows.length === 0) break;
      yield rows;
    }
    await this.rows({ text: "CLOSE batches", values: [] });
  }

  /** Like {@link batches}, with times as texts in ISO 8601, as files have them. */
  async *exported<Row extends object>(statement: Statement): AsyncGenerator<Row[]> {
    for await (const rows of this.batches<Row>(statement)) yield rows.map(withTimeTexts);
  }
}

export const withTimeTexts = <Row extends object>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      types.isDate(value) ? value.toISOString() : value,
    ]),
  ) as Row;

/** Calls `read` with a snapshot, in which nothing can be changed. `settings` are SET LOCAL statements. */
export const inSnapshot = <T>(
  client: Client,
  read: (snapshot: Snapshot) => Promise<T>,
  settings: string = UNLIMITED,
): Promise<T> =>
  inClientTransaction(client, async () => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    await client.query(settings);
    return read(new Snapshot(client));
  });
