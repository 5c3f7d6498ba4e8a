import type { Client } from "pg";
import { currentOrigin } from "../../vocabulary/current-work";
import { BEGIN } from "./isolation";
import { openClient } from "./open-client";

/** Milliseconds for a session to end. A server that hangs ends none. */
const FAREWELL = 1_000;

/** A member of pg's client that its declarations leave out. */
interface Wire {
  readonly connection: { readonly stream: { destroy(): void } };
}

/**
 * Opens a connection outside any pool for the duration of `use`. Errors are those of {@link openClient} and pg. With
 * `patience`, a statement fails that is not answered in so many milliseconds.
 */
export async function withClient<T>(
  databaseUrl: string,
  use: (client: Client) => Promise<T>,
  { patience }: { readonly patience?: number } = {},
): Promise<T> {
  const client = await openClient(databaseUrl, {
    connectionTimeoutMillis: 10_000,
    application_name: "tea-shop-tools",
    ...(patience === undefined ? {} : { query_timeout: patience }),
  });
  try {
    return await use(client);
  } finally {
    const { stream } = (client as unknown as Wire).connection;
    const cut = setTimeout(() => stream.destroy(), FAREWELL);
    await client.end();
    clearTimeout(cut);
  }
}

/**
 * Runs `work` in a transaction, which is committed when `work` resolves and rolled back when it throws. The audit log
 * learns where its changes come from.
 */
export async function inClientTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const origin = currentOrigin();
  const value = client.escapeLiteral(origin ? JSON.stringify(origin) : "");
  // Unlike a SELECT, this may come before the SET TRANSACTION of `work`.
  await client.query(`${BEGIN}; SET LOCAL tea_shop.origin = ${value}`);
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // If the connection is broken and can't roll back, the caller still gets the original error.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/**
 * Like {@link inClientTransaction}, without a time limit for statements. Poolers in transaction mode apply such
 * a setting only within a transaction.
 */
export const withoutTimeout = <T>(client: Client, work: () => Promise<T>): Promise<T> =>
  inClientTransaction(client, async () => {
    await client.query("SET LOCAL statement_timeout = 0");
    return work();
  });
