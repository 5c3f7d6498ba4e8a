/** @check */

import { Client } from "pg";
import { eventually } from "../support/eventually";
import { faultOf, openMigrationFolder, type MigrationFolder } from "./migration-folder";

jest.setTimeout(60_000);

const INDEX = "002-index-cups";

let folder: MigrationFolder;

beforeEach(async () => {
  folder = await openMigrationFolder();
  await folder.writeTable("001-create-cups", "cups");
  await folder.migrator().up();
});

afterEach(() => folder.close());

const writeIndex = async (up: string): Promise<void> => {
  await folder.write(`${INDEX}.up.sql`, up);
  await folder.write(
    `${INDEX}.down.sql`,
    "-- no transaction\nDROP INDEX CONCURRENTLY IF EXISTS cups_id;\n",
  );
};

const concurrently = (unique = "", unlessThere = "") =>
  `-- no transaction\n-- Finds cups by id.\nCREATE ${unique}INDEX CONCURRENTLY ${unlessThere}cups_id\n  ON cups (id);\n`;

/** The indexes on cups, and whether each may be used. */
const indexes = () =>
  folder.sql<{ name: string; valid: boolean }>(
    "SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'cups'::regclass",
  );

const states = async () => (await folder.migrator().status()).map(({ state }) => state);

/** Whether a runner's session last ran such a statement. */
const isSeen = async (statement: string, state: string): Promise<boolean> => {
  const sessions = await folder.sql(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND query LIKE '%${statement}%' AND state = '${state}'`,
  );
  return sessions.length > 0;
};

test("goes up, down and up again", async () => {
  await writeIndex(concurrently());
  expect(await folder.migrator().up()).toEqual([INDEX]);
  expect(await indexes()).toEqual([{ name: "cups_id", valid: true }]);
  expect(await folder.migrator().down()).toEqual([INDEX]);
  expect(await indexes()).toEqual([]);
  expect(await states()).toEqual(["applied", "pending"]);
  expect(await folder.migrator().up()).toEqual([INDEX]);
});

test("is created while another runner waits for its turn", async () => {
  await writeIndex(concurrently());
  const order = new Client({ connectionString: folder.database.url });
  await order.connect();
  // The index waits for this transaction, and would for a runner that holds a snapshot.
  await order.query("BEGIN; INSERT INTO cups VALUES (1)");
  const first = folder.migrator().up();
  await eventually(() => isSeen("INDEX CONCURRENTLY", "active"));
  const second = folder.migrator().up();
  await eventually(() => isSeen("advisory_lock", "idle"));
  await order.query("COMMIT");
  expect(await Promise.all([first, second])).toEqual([[INDEX], []]);
  await order.end();
});

test.each(["", "IF NOT EXISTS "])(
  "that a failed try left invalid is dropped by the next one: CREATE UNIQUE INDEX CONCURRENTLY %s…",
  async (unlessThere) => {
    await writeIndex(concurrently("UNIQUE ", unlessThere));
    await folder.sql("INSERT INTO cups VALUES (1), (1)");
    expect(await faultOf(folder.migrator().up())).toBe(
      `${INDEX}.up.sql: could not create unique index "cups_id"`,
    );
    expect(await indexes()).toEqual([{ name: "cups_id", valid: false }]);
    expect(await states()).toEqual(["applied", "pending"]);
    await folder.sql("TRUNCATE cups");
    expect(await folder.migrator().up()).toEqual([INDEX]);
    expect(await indexes()).toEqual([{ name: "cups_id", valid: true }]);
  },
);

test("that is there and valid is never dropped", async () => {
  await folder.sql("CREATE INDEX cups_id ON cups (id)");
  await writeIndex(concurrently());
  expect(await faultOf(folder.migrator().up())).toMatch(/"cups_id" already exists$/);
  await writeIndex(concurrently("", "IF NOT EXISTS "));
  expect(await folder.migrator().up()).toEqual([INDEX]);
  expect(await indexes()).toEqual([{ name: "cups_id", valid: true }]);
});

test("is refused beside another statement, of which neither is run", async () => {
  await writeIndex(`${concurrently()}INSERT INTO cups VALUES (1);\n`);
  expect(await faultOf(folder.migrator().up())).toBe(
    `${INDEX}.up.sql: a migration without a transaction must be one statement; move the others to separate files`,
  );
  expect([await indexes(), await folder.sql("SELECT FROM cups")]).toEqual([[], []]);
  expect(await states()).toEqual(["applied", "pending"]);
});
