import { withClient } from "../connection/with-client";

/** The timeout, in milliseconds, is the client's, because a server that hangs runs no timer. */
const STATEMENT = {
  text: `SELECT sequencename::text AS name, coalesce(last_value, 0) / max_value::double precision AS share
         FROM pg_sequences WHERE schemaname = current_schema()`,
  query_timeout: 5_000,
};

/**
 * The used share of each sequence in the schema, from 0 to 1, by the sequence's name, such as `orders_id_seq`.
 * Opens a connection of its own, so that measuring takes none from the pool.
 *
 * @throws the errors of pg, in bounded time
 */
export const sequenceShares = (databaseUrl: string): Promise<ReadonlyMap<string, number>> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string; share: number }>(STATEMENT);
    return new Map(rows.map(({ name, share }) => [name, share]));
  });
