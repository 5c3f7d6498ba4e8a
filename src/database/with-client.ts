import type { Client } from "pg";
import { BEGIN } from "./isolation";
import { SessionClient } from "./session-client";

/** Longest wait for the server, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/** Connects directly, beside any pool, hands the client to `use` and disconnects. Errors are those of pg. */
export async function withClient<T>(
  databaseUrl: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new SessionClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: "tea-shop-tools",
  });
  // A connection that breaks also fails its statement; without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs `work` in a transaction of the client: committed when it resolves, rolled back when it throws. */
export async function inClientTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query(BEGIN);
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // What failed is worth more than that a broken connection can't roll back.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
