import { openClient } from "../connection/open-client";

/** Milliseconds for a connection to open. */
const TIMEOUT = 1_000;

/** Opens a connection outside any pool, and closes it. Rejects in bounded time if that fails. */
export async function assertReachable(databaseUrl: string): Promise<void> {
  const client = await openClient(databaseUrl, {
    connectionTimeoutMillis: TIMEOUT,
    application_name: "tea-shop-tools",
  });
  void client.end().catch(() => undefined);
}
