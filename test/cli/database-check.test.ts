/** @check */

import { features } from "../../src/database/checks/features";
import { freePort } from "../../src/embedded-postgres/free-port";
import { createDatabase, createRole, query, type TestDatabase } from "../support/database";
import { startTransactionPooler } from "../support/transaction-pooler";
import { tea } from "./terminal";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const check = (url = database.url) => tea("database check", { environment: { DATABASE_URL: url } });

/** Everything that a trial could leave behind. */
const leftOvers = () =>
  query(
    database.url,
    `SELECT (SELECT count(*) FROM pg_namespace) AS schemas, (SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'i')) AS relations,
       (SELECT count(*) FROM pg_proc) AS functions, (SELECT array_agg(setconfig::text ORDER BY setconfig::text) FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())) AS settings,
       (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS locks`,
  );

test("PostgreSQL has every feature, and nothing is left of the trials", async () => {
  const before = await leftOvers();
  const { exitCode, stdout, stderr } = await check();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const [server, ...lines] = stdout.trimEnd().split("\n");
  expect(server).toMatch(/^PostgreSQL [0-9]/);
  expect(lines.pop()).toBe(`All ${features.length} features work`);
  expect(lines.filter((line) => !line.startsWith("works  "))).toEqual([]);
  expect(lines).toHaveLength(features.length);
  expect(await leftOvers()).toEqual(before);
});

test("what a pooler in transaction mode loses is named, with what needs it, and the command fails", async () => {
  const pooler = await startTransactionPooler(database.url, { names: "kept" });
  const { exitCode, stdout, stderr } = await check(pooler.url);
  await pooler.close();
  const lacking = stdout.split("\n").filter((line) => line.startsWith("LACKS"));
  expect(lacking).toEqual([
    expect.stringMatching(/^LACKS {2}temporary tables of a transaction +imports$/),
    expect.stringMatching(/^LACKS {2}locks of a session +migrations, imports$/),
  ]);
  expect(stdout).toMatch(/\n {7}\S.*\n/);
  expect([exitCode, stderr]).toEqual([
    1,
    `error: The shop can't use this database: it lacks 2 features of ${features.length}\n`,
  ]);
});

test("who may create nothing is told so", async () => {
  const { url } = await createRole(database.url);
  const refused = await check(url);
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: Nothing can be tried: the role may create neither a schema \(permission denied for database .*\) nor a table/,
    ),
  ]);
});

test("a database that is away is no database that lacks something", async () => {
  const url = new URL(database.url);
  url.port = String(await freePort());
  const { exitCode, stdout, stderr } = await check(url.href);
  expect([exitCode, stdout, stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/^error: connect ECONNREFUSED /),
  ]);
});
