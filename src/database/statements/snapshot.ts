import type { Client } from "pg";
import type { Statement } from "./sql";
import { inClientTransaction } from "../connection/with-client";

/** Rows that are fetched at once: enough to be fast, and few enough to need little memory. */
const BATCH_SIZE = 1_000;

/** One moment of the database: all that is read here was committed before it. */
export class Snapshot {
  constructor(private readonly client: Client) {}

  async rows<Row extends object>({ text, values }: Statement): Promise<Row[]> {
    return (await this.client.query<Row>(text, [...values])).rows;
  }

  /** All rows of a statement, a batch at a time, so that memory does not grow with their number. */
  async *batches<Row extends object>({ text, values }: Statement): AsyncGenerator<Row[]> {
    await this.client.query(`DECLARE batches NO SCROLL CURSOR FOR ${text}`, [...values]);
    for (;;) {
      const { rows } = await this.client.query<Row>(`FETCH ${BATCH_SIZE} FROM batches`);
      if (rows.length === 0) break;
      yield rows;
    }
    await this.client.query("CLOSE batches");
  }
}

/** Calls `read` with a snapshot, for as long as it takes. Nobody waits for it, and it changes nothing. */
export const inSnapshot = <T>(
  client: Client,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> =>
  inClientTransaction(client, async () => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    // Whoever takes the rows may be slow, such as a person who reads them in a pager.
    await client.query(
      "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0",
    );
    return read(new Snapshot(client));
  });
