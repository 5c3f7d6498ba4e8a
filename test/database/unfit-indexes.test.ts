/** @check */

import { Client } from "pg";
import { checkIndexes } from "../../src/database/checks/indexes";
import { Migrator } from "../../src/database/migrations/migrator";
import { tea } from "../cli/terminal";
import {
  administrate,
  createDatabase,
  createEmptyDatabase,
  createRole,
  query,
  type TestDatabase,
} from "../support/database";
import { startService } from "../support/service";

jest.setTimeout(60_000);

let database: TestDatabase;

afterEach(() => database.drop());

const sql = <Row extends object>(statement: string) => query<Row>(database.url, statement);

/** What a check tells. */
async function told(url = database.url): Promise<string[]> {
  const messages: string[] = [];
  await checkIndexes(url, (message) => messages.push(message));
  return messages;
}

/** Runs the statements that a message names one after the other, as psql does, and returns them. */
async function runStatementsOf(message = ""): Promise<string[]> {
  const statements = message.slice(message.indexOf("SET statement_timeout")).match(/[^;]+;/g) ?? [];
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const each of statements) await client.query(each);
  } finally {
    await client.end();
  }
  return statements.map((each) => each.trim());
}

const withIcu = () =>
  createEmptyDatabase({ options: "LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'" });

test("nothing is told of a database as the migrations leave it", async () => {
  database = await withIcu();
  await new Migrator({ databaseUrl: database.url }).up();
  expect(await told()).toEqual([]);
});

test("another version of the database's collation is told, and fixed by what is told to run", async () => {
  database = await withIcu();
  await administrate(
    `UPDATE pg_database SET datcollversion = '1.2.3' WHERE datname = '${database.name}'`,
  );
  const [message, ...others] = await told();
  expect(others).toEqual([]);
  expect(message).toMatch(/the database's own \(from 1\.2\.3 to [\d.]+\)/);
  expect(await runStatementsOf(message)).toEqual([
    "SET statement_timeout = 0;",
    `REINDEX DATABASE CONCURRENTLY ${database.name};`,
    `ALTER DATABASE ${database.name} REFRESH COLLATION VERSION;`,
  ]);
  expect(await told()).toEqual([]);
});

test("another version of a collation that is used is told, and fixed by what is told to run", async () => {
  database = await createDatabase();
  await sql(`CREATE COLLATION "Used" (provider = icu, locale = 'de')`);
  await sql("CREATE COLLATION unused (provider = icu, locale = 'de')");
  await sql(`CREATE TABLE pots (name text COLLATE "Used" UNIQUE)`);
  await sql(
    `UPDATE pg_collation SET collversion = '1.2.3' WHERE collname IN ('Used', 'unused', 'und-x-icu')`,
  );
  const [message, ...others] = await told();
  expect(others).toEqual([]);
  // The search of products uses the second one.
  expect(message).toMatch(/"Used" \(from 1\.2\.3 to \S+\), "und-x-icu" \(from 1\.2\.3 to /);
  expect(await runStatementsOf(message)).toEqual([
    "SET statement_timeout = 0;",
    `REINDEX DATABASE CONCURRENTLY ${database.name};`,
    'ALTER COLLATION "Used" REFRESH VERSION;',
    'ALTER COLLATION "und-x-icu" REFRESH VERSION;',
  ]);
  expect(await told()).toEqual([]);
});

test("an invalid index is told, and fixed by what is told to run", async () => {
  database = await createDatabase();
  await sql(`CREATE TABLE "Pots" (id integer, size integer)`);
  await sql(`INSERT INTO "Pots" VALUES (1, 1), (1, 2)`);
  const create = `CREATE UNIQUE INDEX CONCURRENTLY "Pots_id" ON "Pots" (id)`;
  await expect(sql(create)).rejects.toThrow("could not create unique index");
  // What a killed REINDEX CONCURRENTLY leaves behind is a copy, which must go.
  await sql(`CREATE INDEX pots_size_ccnew1 ON "Pots" (size)`);
  await sql(
    "UPDATE pg_index SET indisready = false WHERE indexrelid = 'pots_size_ccnew1'::regclass",
  );
  await sql(`DELETE FROM "Pots" WHERE size = 2`);
  const [message, ...others] = await told();
  expect(others).toEqual([]);
  expect(message).toContain('"Pots_id", pots_size_ccnew1');
  expect(await runStatementsOf(message)).toEqual([
    "SET statement_timeout = 0;",
    'REINDEX INDEX CONCURRENTLY "Pots_id";',
    "DROP INDEX CONCURRENTLY pots_size_ccnew1;",
  ]);
  expect(await told()).toEqual([]);
});

test("what the role may not see does not keep the service from starting", async () => {
  database = await createDatabase();
  const { url } = await createRole(database.url);
  await sql("REVOKE SELECT ON pg_collation, pg_index FROM PUBLIC");
  expect(await told(url)).toEqual([
    "The versions of collations can't be checked: permission denied for table pg_collation",
    "Whether indexes are valid can't be checked: permission denied for table pg_index",
  ]);
});

test("the service warns when it starts, and migrate status as well", async () => {
  database = await createDatabase();
  await sql(
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'products_by_price'::regclass",
  );
  await sql("UPDATE pg_collation SET collversion = '1.2.3' WHERE collname = 'und-x-icu'");
  const service = await startService(database.url);
  service.signal("SIGTERM");
  await service.ended;
  expect(service.printed()).toMatch(/"level":"warn".*REFRESH VERSION/);
  expect(service.printed()).toMatch(
    /"level":"warn".*REINDEX INDEX CONCURRENTLY products_by_price;/,
  );
  const environment = { DATABASE_URL: database.url };
  expect(await tea("migrate status", { environment })).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(
      /^warning: .*REFRESH VERSION;\nwarning: .*REINDEX INDEX CONCURRENTLY products_by_price;\n$/,
    ),
  });
});
