/** @check */

import { rm } from "node:fs/promises";
import { Migrator } from "../../src/database/migrations/migrator";
import { checkRoleSettings } from "../../src/database/checks/role-settings";
import { newDataDir, startLocalService } from "../support/local-service";
import { startService } from "../support/service";
import {
  administrate,
  createDatabase,
  createEmptyDatabase,
  createRole,
  query,
  type TestDatabase,
} from "../support/database";

let database: TestDatabase;

afterEach(() => database.drop());

/** What a check tells; a refusal is its own last entry. */
async function told(url = database.url): Promise<string[]> {
  const messages: string[] = [];
  await checkRoleSettings(url, (message) => messages.push(message)).catch((error: unknown) =>
    messages.push(`refused: ${(error as Error).message}`),
  );
  return messages;
}

const COMMAND = "As that role, run: node dist/cli/main.js migrate up";

test("what a restored dump lacks is named on one line, and fixed by the command it names", async () => {
  // A clone carries no more of the role's settings than a dump does.
  database = await createDatabase();
  const [message = "", ...others] = await told();
  expect(others).toEqual([]);
  expect(message).toContain(
    "statement_timeout, idle_in_transaction_session_timeout, default_transaction_isolation, search_path",
  );
  expect(message).toContain(COMMAND);
  expect(message).not.toContain("\n");
  await new Migrator({ databaseUrl: database.url }).up();
  expect(await told()).toEqual([]);
});

test("stricter transactions are refused, until the command was run", async () => {
  database = await createDatabase();
  await administrate(
    `ALTER DATABASE ${database.name} SET default_transaction_isolation = 'serializable'`,
  );
  const [message = ""] = await told();
  expect(message).toMatch(/^refused: Transactions of the role .* are serializable by default/);
  expect(message).toContain(COMMAND);
  await new Migrator({ databaseUrl: database.url }).up();
  expect(await told()).toEqual([]);
});

test("what a role lacks in a read-only database is told, and migrating changes nothing", async () => {
  database = await createDatabase();
  await administrate(`ALTER DATABASE ${database.name} SET default_transaction_read_only = on`);
  const messages: string[] = [];
  const warn = (message: string) => messages.push(message);
  expect(await new Migrator({ databaseUrl: database.url, warn }).up()).toEqual([]);
  expect(messages).toEqual([expect.stringMatching(/search_path\. They can't be set/)]);
});

test("a role that does not own the audit log is told of, and whose role it should be", async () => {
  database = await createEmptyDatabase();
  await new Migrator({ databaseUrl: database.url }).up();
  const { name: role, url } = await createRole(database.url);
  const [{ owner }] = (await query(database.url, "SELECT current_user AS owner")) as [
    { owner: string },
  ];
  expect(await told(url)).toContainEqual(
    `The role ${role} is not ${owner}, which owns the audit log: all that the service changes is recorded as changes in the database by ${role}, and it can erase no customer. Let the service log in as ${owner}, the role of the migrations.`,
  );
});

test("in production, the service warns and serves, or says why it refuses", async () => {
  database = await createDatabase();
  const service = await startService(database.url);
  expect(service.printed()).toMatch(/"level":"warn".*lacks these settings/);
  service.signal("SIGTERM");
  await service.ended;
  await administrate(
    `ALTER DATABASE ${database.name} SET default_transaction_isolation = 'serializable'`,
  );
  await expect(startService(database.url)).rejects.toThrow("are serializable by default");
});

test("npm start, which migrates, sets them again", async () => {
  database = await createDatabase();
  await administrate(
    `ALTER DATABASE ${database.name} SET default_transaction_isolation = 'serializable'`,
  );
  const dataDir = await newDataDir();
  const local = startLocalService(dataDir, { DATABASE_URL: database.url });
  await local.listening;
  local.signal("SIGTERM");
  await local.ended;
  await rm(dataDir, { recursive: true });
  expect(local.printed()).toMatch(/warning: .* lacks these settings .* They are set now/);
  expect(await told()).toEqual([]);
});
