import type { Client, ClientConfig } from "pg";
import { writeContextJson } from "../../vocabulary/current-work";
import { hostsOf, wantsPrimary } from "../../vocabulary/text/connection-string";
import { SessionClient } from "./clients";
import { beginIn } from "./internals";
import { openPrimary } from "./primary";

/** Milliseconds for a session to end. A server that hangs ends none. */
const FAREWELL = 1_000;

/**
 * Opens a connection outside any pool. If the connection string names several hosts, it leads to the one that takes
 * writes. Errors are those of pg, or of {@link openPrimary}.
 */
export async function openClient(
  databaseUrl: string,
  config: Omit<ClientConfig, "connectionString">,
): Promise<Client> {
  const open = async (connectionString: string): Promise<Client> => {
    const client = new SessionClient({ ...config, connectionString });
    // An error of the connection also fails its statement. Without a listener it would end the process.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  };
  return wantsPrimary(databaseUrl) ? openPrimary(hostsOf(databaseUrl), open) : open(databaseUrl);
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
    const cut = setTimeout(() => client.connection.stream.destroy(), FAREWELL);
    await client.end();
    clearTimeout(cut);
  }
}

/**
 * Runs `work` in a transaction, which is committed when `work` resolves and rolled back when it throws. The audit log
 * learns where its changes come from.
 */
export async function inClientTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  // Unlike a SELECT, this may come before the SET TRANSACTION of `work`.
  await client.query(beginIn(writeContextJson()));
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
