import { readFile } from "node:fs/promises";
import path from "node:path";
import { withClient } from "../database/connection/with-client";
import {
  EmbeddedPostgresError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type Remedy,
} from "../embedded-postgres";
import { OperatorError } from "../vocabulary/errors";
import { databasePassword, databasePasswordFile, servicePassword } from "./secrets";
import type { LocalSettings } from "../config/settings";

/** The SQL that makes an ordinary role the owner of the database. The path is the same from `src` and `dist`. */
const OWN_DATABASE = path.join(__dirname, "../../deploy/own-database.sql");

/** The role that the SQL creates. */
const SERVICE_ROLE = "tea_shop";

/**
 * Starts PostgreSQL on the data folder, or uses the server that runs there, and creates the shop's database
 * if it is missing. An ordinary role owns the database, and `url()` connects as that role.
 *
 * @throws OperatorError that names the settings that would help
 */
export async function startEmbeddedDatabase(
  options: Pick<EmbeddedPostgresOptions, "dataDir" | "durable" | "log" | "onLost">,
): Promise<EmbeddedPostgres> {
  const { dataDir, onLost } = options;
  try {
    const server = await startEmbeddedPostgres({
      ...options,
      password: await databasePassword(dataDir),
      database: "tea_shop",
      sharedFolder: "/var/lib/tea-shop",
      onLost: (error) => onLost?.(forOperators(error, dataDir)),
    });
    try {
      return await asServiceRole(server, await servicePassword(dataDir));
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    throw forOperators(error as Error, dataDir);
  }
}

/** The server, with URLs for the role that owns the database. Creates the role, and makes it the owner. */
async function asServiceRole(
  server: EmbeddedPostgres,
  password: string,
): Promise<EmbeddedPostgres> {
  const statements = await readFile(OWN_DATABASE, "utf8");
  await withClient(server.url(), async (client) => {
    await client.query("SELECT set_config('tea_shop.password', $1, false)", [password]);
    await client.query(statements);
  });
  return {
    url: (database) => {
      const url = new URL(server.url(database));
      url.username = SERVICE_ROLE;
      url.password = password;
      return url.href;
    },
    claim: () => server.claim(),
    stop: () => server.stop(),
    remove: () => server.remove(),
  };
}

const remedies: Record<Remedy, (dataDir: string) => string> = {
  "other-folder": () => "To use another folder, set DATA_DIR",
  "other-password": (dataDir) => `Put the right ${databasePasswordFile(dataDir)} back`,
  "other-server": () => "To use your own PostgreSQL server (version 15 or later), set DATABASE_URL",
};

function forOperators(error: Error, dataDir: string): Error {
  if (!(error instanceof EmbeddedPostgresError)) return error;
  const advice = error.remedies.map((remedy) => remedies[remedy](dataDir));
  return new OperatorError([error.message, ...advice].join(". "), { cause: error });
}

const EXIT_CODE_INTERRUPTED = 130;

/**
 * Calls `use` with the database that migrations use or, if none is set, with the embedded one. The embedded server
 * runs only during the call, unless a service uses it.
 *
 * @throws OperatorError, and the errors of `use`
 */
export async function withLocalDatabase<T>(
  { migrations, dataDir }: Pick<LocalSettings, "migrations" | "dataDir">,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  if (migrations.databaseUrl !== undefined) return use(migrations.databaseUrl);
  const server = await startEmbeddedDatabase({ dataDir, log: (line) => console.error(line) });
  const interruption = new AbortController();
  const interrupt = (): void => {
    interruption.abort();
    void server.stop().finally(() => process.exit(EXIT_CODE_INTERRUPTED));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await use(server.url());
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await server.stop();
    // The process is about to exit, and the command must not report that it lost its database.
    if (interruption.signal.aborted) await new Promise(() => undefined);
  }
}
