import type { Client, ClientConfig } from "pg";
import { hostsOf, wantsPrimary } from "../../vocabulary/text/connection-string";
import { openPrimary } from "./primary-host";
import { SessionClient } from "./session-client";

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
