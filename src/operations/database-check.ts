import { Client } from "pg";

/** The database can't be used; the message says which, why, and never a password. */
export class DatabaseFault extends Error {
  override readonly name = "DatabaseFault";
}

const LEAST_VERSION = 15;

/**
 * Makes sure that a database answers and that its server is not too old.
 *
 * @throws DatabaseFault
 */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  const { host, pathname } = new URL(databaseUrl);
  const name = `The database ${pathname.slice(1)} on ${host || "this machine"}`;
  const version = await serverVersion(databaseUrl).catch((error: unknown) => {
    throw new DatabaseFault(`${name} can't be used: ${reasonOf(error)}`, { cause: error });
  });
  if (version >= LEAST_VERSION) return;
  throw new DatabaseFault(
    `${name} is served by PostgreSQL ${version}; version ${LEAST_VERSION} or later is required`,
  );
}

async function serverVersion(databaseUrl: string): Promise<number> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
    application_name: "tea-shop start",
  });
  // A connection that breaks also fails its statement; without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::integer / 10000 AS version",
    );
    return rows[0]?.version ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Where a name has several addresses, the failure of each. */
function reasonOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map((each) => (each instanceof Error ? each.message : String(each))).join("; ");
}
