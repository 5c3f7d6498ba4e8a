import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { Client } from "pg";
import { Migrator } from "../../src/database/migrations/migrator";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { faultOf, openMigrationFolder, type MigrationFolder } from "./migration-folder";

jest.setTimeout(60_000);

/** A line "name checksum" for each migration from before the baseline. */
const EARLIER = path.join(__dirname, "earlier-migrations.txt");

let folder: MigrationFolder;

beforeEach(async () => {
  folder = await openMigrationFolder();
});

afterEach(() => folder.close());

const migrator = (options: { lockTimeout?: number } = {}): Migrator => folder.migrator(options);
const write = (file: string, text: string): Promise<void> => folder.write(file, text);
const writeTable = (name: string, table: string): Promise<void> => folder.writeTable(name, table);
const tables = (): Promise<string[]> => folder.tables();

/** Everything that a migration could have made, but extensions: others may use them, so they stay. */
const schema = async (): Promise<unknown[]> =>
  query(
    folder.database.url,
    `SELECT 'column' AS kind, table_name || '.' || column_name AS name,
            concat_ws(' ', row_number() OVER (PARTITION BY table_name ORDER BY ordinal_position), data_type, udt_name, is_nullable, column_default, collation_name,
                      numeric_precision, numeric_scale, datetime_precision, identity_generation) AS definition
       FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid)
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT 'enum', typname, enumlabel FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid
     UNION ALL SELECT 'function', proname, pg_get_functiondef(oid)
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
     UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT 'relation', relname, relkind::text
       FROM pg_class WHERE relnamespace = 'public'::regnamespace
     ORDER BY 1, 2, 3`,
  );

describe("the service's own migrations", () => {
  test("go up, down and up again to the same schema, and leave nothing when they are down", async () => {
    const own = new Migrator({ databaseUrl: folder.database.url });
    const names = await own.up();
    expect(names[0]).toBe("001-extensions-and-role");
    const before = await schema();
    expect(await own.down(names.length)).toEqual(names.toReversed());
    expect(await tables()).toEqual(["schema_migrations"]);
    expect(await schema()).toEqual(
      before.filter((row) => /schema_migrations/.test(JSON.stringify(row))),
    );
    expect(await own.up()).toEqual(names);
    expect(await schema()).toEqual(before);
    await own.assertCurrent();
  });

  describe("a database with the migrations from before the baseline", () => {
    let own: Migrator;
    /** Those that came after the nine of the baseline. */
    let later: string[];
    const sql = (statement: string, values?: unknown[]) =>
      query<{ name: string }>(folder.database.url, statement, values);

    beforeEach(async () => {
      own = new Migrator({ databaseUrl: folder.database.url });
      later = (await own.up()).slice(9);
      await own.down(later.length);
      const lines = (await readFile(EARLIER, "utf8")).trimEnd().split("\n");
      await sql("DELETE FROM schema_migrations");
      await sql(
        `INSERT INTO schema_migrations (name, checksum)
         SELECT split_part(line, ' ', 1), split_part(line, ' ', 2) FROM unnest($1::text[]) AS line`,
        [lines],
      );
    });

    test("has the baseline recorded in their place, and no row of the shop is touched", async () => {
      await sql("INSERT INTO categories (name, slug) VALUES ('Green', 'green')");
      const rows = () => sql("SELECT xmin::text, * FROM categories");
      const [before, schemaBefore] = [await rows(), await schema()];
      expect(await faultOf(own.assertCurrent())).toMatch(/recorded anew.*migrate up$/);
      expect(await faultOf(own.down())).toMatch(/recorded anew/);
      expect(await own.up()).toEqual(later);
      await own.assertCurrent();
      await own.down(later.length);
      expect(await rows()).toEqual(before);
      const isOfShop = (row: unknown): boolean => !/schema_migrations/.test(JSON.stringify(row));
      expect((await schema()).filter(isOfShop)).toEqual(schemaBefore.filter(isOfShop));
      expect(await sql("SELECT name FROM schema_migrations_before")).toHaveLength(46);
    });

    test.each([
      ["is not complete", "DELETE FROM schema_migrations WHERE name LIKE '046%'"],
      ["was edited", "UPDATE schema_migrations SET checksum = 'x' WHERE name LIKE '030%'"],
    ])("is refused if their list %s, with the commit to run first", async (_, statement) => {
      await sql(statement);
      const fault = /First run this with commit [0-9a-f]{8}: node dist\/cli\/main.js migrate up$/;
      expect(await faultOf(own.up())).toMatch(fault);
      expect(await faultOf(own.status())).toMatch(fault);
      expect(await tables()).not.toContain("schema_migrations_before");
    });
  });
});

describe("up and down", () => {
  beforeEach(async () => {
    await writeTable("001-create-cups", "cups");
    await writeTable("002-create-pots", "pots");
    await writeTable("010-create-trays", "trays");
  });

  test("applies each migration once where several runners start at once", async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrator().up()));
    expect(runs.flat().sort()).toEqual(["001-create-cups", "002-create-pots", "010-create-trays"]);
  });

  test("gives up on a lock that does not come free", async () => {
    await write("011-wait-long.up.sql", "SELECT pg_sleep(1)");
    await write("011-wait-long.down.sql", "");
    const running = migrator().up();
    await eventually(async () => (await tables()).includes("trays"));
    const fault = await faultOf(migrator({ lockTimeout: 100 }).up());
    expect(fault).toMatch(/Another migration has been running for more than 0.1 s/);
    await running;
  });

  test("is tried again where a table is in use for longer than it waits for a lock, as by an autovacuum", async () => {
    await writeTable("001-create-cups", "cups");
    await migrator().up();
    await write(
      "011-widen-cups.up.sql",
      "SET LOCAL lock_timeout = '10ms'; ALTER TABLE cups ADD COLUMN size integer",
    );
    await write("011-widen-cups.down.sql", "ALTER TABLE cups DROP COLUMN size");
    const user = new Client({ connectionString: folder.database.url });
    await user.connect();
    await user.query("BEGIN; LOCK TABLE cups IN SHARE UPDATE EXCLUSIVE MODE");
    const warnings: string[] = [];
    const running = folder.migrator({ warn: (message) => warnings.push(message) }).up();
    await eventually(() => warnings.length > 0);
    await user.query("ROLLBACK");
    await user.end();
    expect(await running).toContain("011-widen-cups");
    expect(warnings).toEqual([
      "011-widen-cups.up.sql waits for a table that others use, such as an autovacuum, and is tried again for ten minutes.",
    ]);
  });

  test("is not cut off by a time-out that is meant for requests", async () => {
    await write("011-wait-long.up.sql", "SELECT pg_sleep(0.3)");
    await write("011-wait-long.down.sql", "");
    await query(
      folder.database.url,
      "ALTER ROLE CURRENT_USER IN DATABASE " +
        folder.database.name +
        " SET statement_timeout = 100",
    );
    expect(await migrator().up()).toContain("011-wait-long");
  });
});

describe("a migration that fails", () => {
  test("leaves nothing behind, names file and line and keeps those before it", async () => {
    await writeTable("001-create-cups", "cups");
    await write("002-create-pots.up.sql", "CREATE TABLE pots (id integer);\n\nSELECT nonsense;\n");
    await write("002-create-pots.down.sql", "DROP TABLE pots;");
    expect(await faultOf(migrator().up())).toBe(
      '002-create-pots.up.sql:3: column "nonsense" does not exist',
    );
    expect(await tables()).toEqual(["cups", "schema_migrations"]);
    expect((await migrator().status()).map(({ state }) => state)).toEqual(["applied", "pending"]);
    await writeTable("002-create-pots", "pots");
    expect(await migrator().up()).toEqual(["002-create-pots"]);
  });

  test("stays applied where taking it back fails", async () => {
    await writeTable("001-create-cups", "cups");
    await write("001-create-cups.down.sql", "DROP TABLE cups; DROP TABLE saucers;");
    await migrator().up();
    expect(await faultOf(migrator().down())).toMatch(/^001-create-cups\.down\.sql: .*saucers/);
    expect(await tables()).toEqual(["cups", "schema_migrations"]);
    await migrator().assertCurrent();
  });
});

describe("what contradicts the history", () => {
  beforeEach(async () => {
    await writeTable("001-create-cups", "cups");
    await writeTable("003-create-pots", "pots");
    await migrator().up();
  });

  const refusedByAll = async (fault: string): Promise<void> => {
    expect(await faultOf(migrator().up())).toBe(fault);
    expect(await faultOf(migrator().assertCurrent())).toBe(fault);
  };

  test("pending migrations are named when the schema must be current", async () => {
    await migrator().assertCurrent();
    await writeTable("004-create-trays", "trays");
    expect(await faultOf(migrator().assertCurrent())).toBe(
      "1 migration is not applied: 004-create-trays. Run: node dist/cli/main.js migrate up",
    );
    await writeTable("005-create-spoons", "spoons");
    await writeTable("006-create-tins", "tins");
    expect(await faultOf(migrator().assertCurrent())).toBe(
      "3 migrations are not applied: 004-create-trays to 006-create-tins. Run: node dist/cli/main.js migrate up",
    );
  });

  const edit = () => write("001-create-cups.up.sql", "CREATE TABLE cups (id bigint);\n");
  const lose = (file: string) => rm(path.join(folder.directory, file));

  test.each<[what: string, change: () => Promise<void>, fault: string]>([
    ["an edited file", edit, "001-create-cups.up.sql was edited after it was applied"],
    [
      "a missing migration",
      () => folder.removeFiles("001-create-cups"),
      "001-create-cups is applied, but its files are missing",
    ],
    [
      "two migrations of one number",
      () => writeTable("003-create-trays", "trays"),
      "003-create-pots and 003-create-trays have the same number",
    ],
    [
      "a file without its way back",
      () => lose("003-create-pots.down.sql"),
      "003-create-pots.up.sql has no 003-create-pots.down.sql",
    ],
    [
      "a way back without its file",
      () => lose("001-create-cups.up.sql"),
      "001-create-cups.down.sql has no 001-create-cups.up.sql",
    ],
    [
      "a file of another name",
      () => write("fix.sql", ""),
      "fix.sql is not named NNN-verb-noun.up.sql or .down.sql",
    ],
  ])("%s is refused by all", async (_what, change, fault) => {
    await change();
    await refusedByAll(fault);
    expect(await faultOf(migrator().down())).toBe(fault);
  });

  test("a file that sorts before an applied one is refused, and going back resolves it", async () => {
    await writeTable("002-create-trays", "trays");
    await refusedByAll("002-create-trays is not applied, but a later migration is");
    await migrator().down();
    expect(await migrator().up()).toEqual(["002-create-trays", "003-create-pots"]);
  });
});

test("lets the reason through where the database can't be reached", async () => {
  const url = new URL(folder.database.url);
  url.pathname = "no_such_database";
  const lost = new Migrator({ databaseUrl: url.href });
  await expect(lost.up()).rejects.toThrow('database "no_such_database" does not exist');
  const nowhere = new Migrator({ databaseUrl: "postgres://postgres@127.0.0.1:1/postgres" });
  await expect(nowhere.status()).rejects.toThrow("ECONNREFUSED");
});
