import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { runName, serverUrl, templateName } from "./server-url";

/** A database for one test file. Databases that a test leaves behind are dropped after the whole run. */
export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** How a database differs from others. */
interface Oddity {
  /** The end of CREATE DATABASE, such as `ENCODING 'LATIN1' LOCALE 'C'`. */
  readonly options?: string;
  /** The settings with which its sessions begin. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** A clone of the migrated template. */
export const createDatabase = (): Promise<TestDatabase> =>
  create(templateName(), { options: "STRATEGY file_copy" });

/** A database without any table. */
export const createEmptyDatabase = (oddity: Oddity = {}): Promise<TestDatabase> =>
  create("template0", oddity);

async function create(
  template: string,
  { options = "", defaults = {} }: Oddity = {},
): Promise<TestDatabase> {
  const name = nameInRun();
  await administrate(`CREATE DATABASE ${name} TEMPLATE ${template} ${options}`);
  for (const [setting, value] of Object.entries(defaults)) {
    await administrate(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
  }
  const url = new URL(serverUrl());
  url.pathname = name;
  return { name, url: url.href, drop: () => dropDatabase(name) };
}

/** A new name for a database or a role. The run recognizes its own by their names. */
export const nameInRun = (): string => `${runName()}_${randomBytes(12).toString("hex")}`;

/** Creates a role that may log in, and no more; `url` is the given database as the role sees it. */
export async function createRole(
  databaseUrl: string,
): Promise<{ readonly name: string; readonly url: string }> {
  const name = nameInRun();
  await administrate(`CREATE ROLE ${name} LOGIN PASSWORD 'of a role'`);
  const url = Object.assign(new URL(databaseUrl), { username: name, password: "of a role" });
  return { name, url: url.href };
}

/** Drops all databases of a run, and then its roles: tests that fail leave some behind. */
export async function dropAllOf(run: string): Promise<void> {
  const named = async (statement: string): Promise<string[]> =>
    (await query<{ name: string }>(serverUrl(), statement))
      .map(({ name }) => name)
      .filter((name) => name.startsWith(`${run}_`));
  for (const name of await named("SELECT datname AS name FROM pg_database")) {
    await dropDatabase(name);
  }
  for (const name of await named("SELECT rolname AS name FROM pg_roles")) {
    await administrate(`DROP ROLE IF EXISTS "${name}"`);
  }
}

const dropDatabase = (name: string): Promise<void> =>
  administrate(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

/** Ends all connections to a database, and resolves when they have ended. */
export const endConnections = ({ name }: TestDatabase): Promise<void> =>
  administrate(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );

/** Runs one statement on the server's own database. */
export async function administrate(statement: string): Promise<void> {
  await query(serverUrl(), statement);
}

/** Runs one statement on a connection of its own and returns its rows. */
export async function query<Row extends object>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
