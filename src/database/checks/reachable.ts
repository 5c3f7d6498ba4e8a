import { SessionClient } from "../connection/session-client";

/** Milliseconds for a connection to open. */
const TIMEOUT = 1_000;

/** Opens a connection outside any pool, and closes it. Rejects in bounded time if that fails. */
export async function assertReachable(databaseUrl: string): Promise<void> {
  const client = new SessionClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: TIMEOUT,
    application_name: "tea-shop-tools",
  });
  // Without a listener, the error of a connection that breaks while it closes would end the process.
  client.on("error", () => undefined);
  await client.connect();
  void client.end().catch(() => undefined);
}
