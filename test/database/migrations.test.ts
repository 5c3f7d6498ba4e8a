import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Client } from "pg";
import { Migrator } from "../../src/database/migrations/migrator";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { faultOf, openMigrationFolder, type MigrationFolder } from "./migration-folder";

jest.setTimeout(60_000);

const REAL_MIGRATIONS = path.join(__dirname, "../../migrations");

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
    expect(names[0]).toBe("001-create-catalogue");
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

  test("the addresses of orders that an older release has placed can be searched", async () => {
    const own = new Migrator({ databaseUrl: folder.database.url });
    const names = await own.up();
    await own.down(names.length - names.indexOf("020-keep-customer-addresses"));
    await query(
      folder.database.url,
      `INSERT INTO orders (customer_email, total_amount)
       VALUES ('Ada@example.com', 1), ('ada@example.com', 1), ('grace@example.com', 1)`,
    );
    await own.up();
    expect(
      await query(folder.database.url, "SELECT address FROM customer_addresses ORDER BY 1"),
    ).toEqual([{ address: "ada@example.com" }, { address: "grace@example.com" }]);
  });

  test("the items that an older release has stored get the names of that day, however often it is interrupted", async () => {
    const own = new Migrator({ databaseUrl: folder.database.url });
    const names = await own.up();
    await own.down(names.length - names.indexOf("023-keep-names-of-bought-products"));
    await query(
      folder.database.url,
      `WITH category AS (INSERT INTO categories (name, slug) VALUES ('Green', 'green') RETURNING id),
       product AS (
         INSERT INTO products (name, slug, price, category_id)
         SELECT 'Tea ' || n, 'tea-' || n, 1, id FROM category, generate_series(1, 2) AS n RETURNING id
       ),
       ordered AS (
         INSERT INTO orders (customer_email, total_amount)
         SELECT 'ada@example.com', 1 FROM generate_series(1, 10500) RETURNING id
       )
       INSERT INTO order_items (order_id, product_id, quantity, unit_price)
       SELECT ordered.id, product.id, 1, 1 FROM ordered, product`,
    );
    await own.up();
    const kept = await query(
      folder.database.url,
      `SELECT product_id AS n, product_name AS name, product_slug AS slug, count(*)::integer
       FROM order_items GROUP BY 1, 2, 3 ORDER BY 1, 2`,
    );
    expect(kept).toEqual(
      [1, 2].map((n) => ({ n, name: `Tea ${n}`, slug: `tea-${n}`, count: 10_500 })),
    );

    // As if it had been interrupted, and the products had been renamed since.
    await own.down(names.length - names.indexOf("024-fill-names-of-bought-products"));
    await query(folder.database.url, "UPDATE products SET name = 'Later', slug = 'later-' || id");
    await query(
      folder.database.url,
      `UPDATE order_items SET product_name = CASE WHEN id < 20990 THEN product_name END,
         product_slug = CASE WHEN id < 20980 THEN product_slug END`,
    );
    await own.up();
    const [late] = await query(
      folder.database.url,
      `SELECT min(id) FILTER (WHERE product_name = 'Later') AS name,
         min(id) FILTER (WHERE product_slug = 'later-' || product_id) AS slug,
         count(*) FILTER (WHERE product_name IS NULL OR product_slug IS NULL)::integer AS lacking
       FROM order_items`,
    );
    expect(late).toEqual({ name: 20_990, slug: 20_980, lacking: 0 });
  });

  test("what an older release has stored with a final sigma is found, and nothing else is written", async () => {
    const own = new Migrator({ databaseUrl: folder.database.url });
    const names = await own.up();
    await own.down(names.length - names.indexOf("040-fold-final-sigma"));
    await query(
      folder.database.url,
      `WITH category AS (INSERT INTO categories (name, slug) VALUES ('Greek', 'greek') RETURNING id)
       INSERT INTO products (name, slug, price, category_id, description)
       SELECT CASE n % 2 WHEN 1 THEN 'Δυόσμος ' ELSE 'Tea ' END || n, 'tea-' || n, n, id, ''
       FROM category, generate_series(1, 1001) AS n`,
    );
    const rows = () =>
      query(
        folder.database.url,
        `SELECT id, xmin::text, version, updated_at FROM products WHERE id % 2 = $1 ORDER BY id`,
        [0],
      );
    const counts = () =>
      query(
        folder.database.url,
        `SELECT sum(version)::integer AS versions, max(updated_at) AS changed,
           (SELECT count(*)::integer FROM events) AS events, (SELECT count(*)::integer FROM audit_entries) AS entries
         FROM products`,
      );
    const found = async (word: string) =>
      (
        await query<{ n: number }>(
          folder.database.url,
          "SELECT count(*)::integer AS n FROM products WHERE search_text LIKE containing($1)",
          [word],
        )
      )[0]?.n;
    expect(await found("ΔΥΟΣ")).toBe(0);
    const [others, before] = [await rows(), await counts()];
    await own.up();
    expect(await Promise.all(["ΔΥΟΣ", "δυόσμος", "ΔΥΌΣΜΟΣ", "δυοσμοσ"].map(found))).toEqual(
      Array(4).fill(501),
    );
    expect([await rows(), await counts()]).toEqual([others, before]);

    await own.down(names.length - names.indexOf("040-fold-final-sigma"));
    expect(await Promise.all(["δυόσμος", "ΔΥΟΣ"].map(found))).toEqual([501, 0]);
  });

  describe("the products that an older release has stored", () => {
    const HISTORIES = "026-begin-histories-of-prices";
    let own: Migrator;
    let names: string[];
    beforeEach(async () => {
      own = new Migrator({ databaseUrl: folder.database.url });
      names = await own.up();
      await own.down(names.length - names.indexOf("025-keep-prices"));
      await query(
        folder.database.url,
        `WITH category AS (INSERT INTO categories (name, slug) VALUES ('Green', 'green') RETURNING id)
         INSERT INTO products (name, slug, price, category_id)
         SELECT 'Tea', 'tea-' || n, n, id FROM category, generate_series(1, 2500) AS n`,
      );
    });

    /** As it is while that migration runs: histories are kept, by the migrations before it alone. */
    const withoutHistories = async () => {
      const isEarlier = (file: string) =>
        file === REAL_MIGRATIONS || path.basename(file) < HISTORIES;
      await cp(REAL_MIGRATIONS, folder.directory, { recursive: true, filter: isEarlier });
      await folder.migrator().up();
    };

    const histories = () =>
      query(
        folder.database.url,
        `SELECT id, array_agg(product_prices.price ORDER BY began)::text AS prices
         FROM products LEFT JOIN product_prices ON product_id = id GROUP BY id
         HAVING array_agg(product_prices.price ORDER BY began) <> ARRAY[id]::numeric[]
           OR count(product_id) = 0
         ORDER BY id`,
      );

    test("begin their histories with their present prices", async () => {
      await own.up();
      expect(await histories()).toEqual([]);
    });

    test("lose no price that changes before, or while, their histories begin", async () => {
      await withoutHistories();
      const change = (client: Pick<Client, "query">, id: number) =>
        client.query(`UPDATE products SET price = 7777 WHERE id = ${id}`);
      const writer = new Client({ connectionString: folder.database.url });
      await writer.connect();
      try {
        await change(writer, 3);
        await writer.query("BEGIN");
        await change(writer, 1500);
        const upgrade = own.up();
        await eventually(async () => {
          const rows = await query(
            folder.database.url,
            "SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'",
          );
          return rows.length === 1;
        });
        // While it waits, the batch before has its histories.
        await change(writer, 4);
        await writer.query("COMMIT");
        await upgrade;
        await change(writer, 5);
      } finally {
        await writer.end();
      }
      expect(await histories()).toEqual(
        [3, 4, 5, 1500].map((id) => ({ id, prices: `{${id}.00,7777.00}` })),
      );
      const [gap] = await query(
        folder.database.url,
        "SELECT (max(began) - min(began))::text AS gap FROM product_prices WHERE product_id = 3",
      );
      expect(gap).toEqual({ gap: "00:00:00.001" });
    });
  });

  test("can each be taken back and applied again on its own", async () => {
    const files = (await readdir(REAL_MIGRATIONS)).sort();
    const copy = (name: string) =>
      cp(path.join(REAL_MIGRATIONS, name), path.join(folder.directory, name));
    await Promise.all(files.filter((name) => name.startsWith("001-")).map(copy));
    expect(await migrator().up()).toHaveLength(1);
    let before = await schema();
    for (const name of files.filter((file) => file.endsWith(".up.sql")).slice(1)) {
      await copy(name);
      await copy(name.replace(".up.sql", ".down.sql"));
      await migrator().up();
      const after = await schema();
      await migrator().down();
      expect([name, await schema()]).toEqual([name, before]);
      await migrator().up();
      expect([name, await schema()]).toEqual([name, after]);
      before = after;
    }
  });
});

describe("up and down", () => {
  beforeEach(async () => {
    await writeTable("001-create-cups", "cups");
    await writeTable("002-create-pots", "pots");
    await writeTable("010-create-trays", "trays");
  });

  test("applies what is pending, once, in order of the numbers", async () => {
    expect(await migrator().up()).toEqual([
      "001-create-cups",
      "002-create-pots",
      "010-create-trays",
    ]);
    expect(await migrator().up()).toEqual([]);
    await writeTable("1000-create-spoons", "spoons");
    expect(await migrator().up()).toEqual(["1000-create-spoons"]);
  });

  test("1000 comes after 999", async () => {
    await writeTable("1000-create-spoons", "spoons");
    await writeTable("999-create-bowls", "bowls");
    expect((await migrator().up()).slice(-2)).toEqual(["999-create-bowls", "1000-create-spoons"]);
  });

  test("takes the last ones back, latest first, and stops where nothing is left", async () => {
    await migrator().up();
    expect(await migrator().down()).toEqual(["010-create-trays"]);
    expect(await tables()).toEqual(["cups", "pots", "schema_migrations"]);
    expect(await migrator().down(5)).toEqual(["002-create-pots", "001-create-cups"]);
    expect(await migrator().down()).toEqual([]);
  });

  test("tells where each migration stands without changing anything", async () => {
    expect((await migrator().status()).map(({ state }) => state)).toEqual(Array(3).fill("pending"));
    expect(await tables()).toEqual([]);
    await migrator().up();
    await migrator().down();
    const statuses = await migrator().status();
    expect(statuses.map(({ state }) => state)).toEqual(["applied", "applied", "pending"]);
    expect(statuses[0]?.appliedAt).toBeInstanceOf(Date);
    expect(statuses[2]?.appliedAt).toBeUndefined();
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

  test("pending migrations are not named where applying them would not help", async () => {
    await write("001-create-cups.up.sql", "CREATE TABLE cups (id bigint);\n");
    await writeTable("004-create-trays", "trays");
    await refusedByAll("001-create-cups.up.sql was edited after it was applied");
  });

  test("an edited file is refused", async () => {
    await write("001-create-cups.up.sql", "CREATE TABLE cups (id bigint);\n");
    const fault = "001-create-cups.up.sql was edited after it was applied";
    await refusedByAll(fault);
    expect(await faultOf(migrator().down())).toBe(fault);
  });

  test("line endings are no edit", async () => {
    const file = path.join(folder.directory, "001-create-cups.up.sql");
    await writeFile(file, (await readFile(file, "utf8")).replaceAll("\n", "\r\n"));
    await migrator().assertCurrent();
  });

  test("a missing file is refused", async () => {
    await folder.removeFiles("001-create-cups");
    const fault = "001-create-cups is applied, but its files are missing";
    await refusedByAll(fault);
    expect(await faultOf(migrator().down())).toBe(fault);
  });

  test("a file that sorts before an applied one is refused, and going back resolves it", async () => {
    await writeTable("002-create-trays", "trays");
    await refusedByAll("002-create-trays is not applied, but a later migration is");
    await migrator().down();
    expect(await migrator().up()).toEqual(["002-create-trays", "003-create-pots"]);
  });

  test("a renamed migration is refused", async () => {
    for (const end of ["up", "down"]) {
      const from = path.join(folder.directory, `003-create-pots.${end}.sql`);
      await rename(from, path.join(folder.directory, `003-create-teapots.${end}.sql`));
    }
    expect(await faultOf(migrator().up())).toContain("003-create-pots is applied");
  });

  test("two migrations of one number are refused", async () => {
    await writeTable("003-create-trays", "trays");
    await refusedByAll("003-create-pots and 003-create-trays have the same number");
  });

  test("a file without its counterpart is refused", async () => {
    await rm(path.join(folder.directory, "003-create-pots.down.sql"));
    await refusedByAll("003-create-pots.up.sql has no 003-create-pots.down.sql");
    await writeTable("003-create-pots", "pots");
    await rm(path.join(folder.directory, "001-create-cups.up.sql"));
    await refusedByAll("001-create-cups.down.sql has no 001-create-cups.up.sql");
  });

  test("a file of another name is refused, other than SQL is ignored", async () => {
    await write("README.md", "");
    await migrator().assertCurrent();
    await write("fix.sql", "");
    await refusedByAll("fix.sql is not named NNN-verb-noun.up.sql or .down.sql");
  });

  test("a folder that is not there is refused", async () => {
    const elsewhere = path.join(folder.directory, "elsewhere");
    const lost = new Migrator({ databaseUrl: folder.database.url, directory: elsewhere });
    expect(await faultOf(lost.up())).toContain(elsewhere);
  });
});

test("finds the package's folder, whose files the repository stores with one kind of line ending", async () => {
  await cp(REAL_MIGRATIONS, folder.directory, { recursive: true });
  await migrator().up();
  await new Migrator({ databaseUrl: folder.database.url }).assertCurrent();
});

test("lets the reason through where the database can't be reached", async () => {
  const url = new URL(folder.database.url);
  url.pathname = "no_such_database";
  const lost = new Migrator({ databaseUrl: url.href });
  await expect(lost.up()).rejects.toThrow('database "no_such_database" does not exist');
  const nowhere = new Migrator({ databaseUrl: "postgres://postgres@127.0.0.1:1/postgres" });
  await expect(nowhere.status()).rejects.toThrow("ECONNREFUSED");
});
