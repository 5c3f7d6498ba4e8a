import { withClient } from "../connection/with-client";

/** The time-out is the client's own, because a server that hangs runs no timer; in milliseconds. */
const STATEMENT = {
  text: `SELECT sequencename::text AS name, coalesce(last_value, 0) / max_value::double precision AS share
         FROM pg_sequences WHERE schemaname = current_schema()`,
  query_timeout: 5_000,
};

/**
 * Of each sequence of the schema, such as `orders_id_seq`, the share of its numbers that is used, from 0 to 1. Asks
 * on a connection of its own, so that whoever measures the pool takes none of it.
 *
 * @throws the errors of pg, in bounded time
 */
export const sequenceShares = (databaseUrl: string): Promise<ReadonlyMap<string, number>> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string; share: number }>(STATEMENT);
    return new Map(rows.map(({ name, share }) => [name, share]));
  });
