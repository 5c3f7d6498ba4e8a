import { messageOf, OperatorError } from "../../vocabulary/errors";
import { placeOf } from "../../vocabulary/text/connection-string";
import { openClient } from "../connection/with-client";

const MIN_VERSION = 15;

/** The only encoding that has every character of a request. */
const ENCODING = "UTF8";

/**
 * Checks that a database answers, that its server is recent enough, and that its encoding is UTF-8.
 *
 * @throws OperatorError that names the database and the reason
 */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  const { hosts, database } = placeOf(databaseUrl);
  const name = `The database ${database} on ${hosts || "this machine"}`;
  const { version, encoding } = await readServer(databaseUrl).catch((error: unknown) => {
    throw new OperatorError(`${name} can't be used: ${messageOf(error)}`, { cause: error });
  });
  if (version < MIN_VERSION) {
    throw new OperatorError(
      `${name} is served by PostgreSQL ${version}; version ${MIN_VERSION} or later is required`,
    );
  }
  if (encoding !== ENCODING) {
    throw new OperatorError(
      `${name} has the encoding ${encoding}; ${ENCODING} is required. An encoding can't be changed, so create another database: CREATE DATABASE … ENCODING '${ENCODING}' TEMPLATE template0`,
    );
  }
}

interface Server {
  readonly version: number;
  readonly encoding: string;
}

async function readServer(databaseUrl: string): Promise<Server> {
  const client = await openClient(databaseUrl, {
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
    application_name: "tea-shop start",
  });
  try {
    const { rows } = await client.query<Server>(
      `SELECT current_setting('server_version_num')::integer / 10000 AS version,
         current_setting('server_encoding') AS encoding`,
    );
    return rows[0] ?? { version: 0, encoding: "" };
  } finally {
    await client.end().catch(() => undefined);
  }
}

const TIMEOUT = 1_000;

/** Opens a connection outside any pool, and closes it. Rejects in bounded time if that fails. */
export async function assertReachable(databaseUrl: string): Promise<void> {
  const client = await openClient(databaseUrl, {
    connectionTimeoutMillis: TIMEOUT,
    application_name: "tea-shop-tools",
  });
  void client.end().catch(() => undefined);
}
