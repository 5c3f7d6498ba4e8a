import { Client } from "pg";
import { startApp, startReplica, type TestApp } from "../support/app";
import { administrate, createDatabase, nameInRun, query } from "../support/database";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { searchLog } from "../support/log-lines";
import { send, sendJson, type Answer } from "../support/raw-http";
import { tea } from "../cli/terminal";

let app: TestApp;
beforeEach(async () => {
  app = await startApp({ catalogue: { cache: true } });
  await app.make.product({ name: "Assam" });
});
afterEach(() => app.close());

const get = (shop: TestApp, path: string, tag?: string): Promise<Answer> =>
  send(shop.url, {
    method: "GET",
    path,
    headers: tag === undefined ? {} : { "if-none-match": tag },
  });

/** The tag of the list of products, which has then been read and kept. */
async function tagOf(shop: TestApp): Promise<string> {
  const { status, headers } = await get(shop, "/products");
  expect(status).toBe(200);
  return headers.etag!;
}

const inTransaction = async (work: (client: Client) => Promise<unknown>, end = "COMMIT") => {
  const client = new Client({ connectionString: app.database.url });
  await client.connect();
  try {
    await client.query("BEGIN");
    await work(client);
    await client.query(end);
  } finally {
    await client.end();
  }
};

test.each([
  ["an update", "UPDATE products SET name = 'Darjeeling'"],
  ["a deletion", "DELETE FROM products"],
  ["TRUNCATE", "TRUNCATE products CASCADE"],
  ["TRUNCATE of what it refers to", "TRUNCATE categories CASCADE"],
])("%s by plain SQL is seen by the next read", async (_label, statement) => {
  const tag = await tagOf(app);
  await app.sql(statement);
  const rows = await app.sql<{ name: string }>("SELECT name FROM products");
  const answer = await get(app, "/products", tag);
  expect(answer.status).toBe(200);
  expect(answer.headers.etag).not.toBe(tag);
  expect((answer.body as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(
    rows.map(({ name }) => name),
  );
});

test.each(["products", "categories"])("a session without triggers changes %s", async (table) => {
  const { headers } = await get(app, `/${table}`);
  await inTransaction(async (client) => {
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query(`UPDATE ${table} SET name = 'Darjeeling'`);
  });
  expect((await get(app, `/${table}`, headers.etag)).text).toContain("Darjeeling");
});

test("a change that is rolled back, in whole or in part, costs nothing or is seen", async () => {
  const tag = await tagOf(app);
  await inTransaction(
    (client) => client.query("UPDATE products SET name = 'Darjeeling'"),
    "ROLLBACK",
  );
  expect((await get(app, "/products", tag)).status).toBe(304);
  await inTransaction(async (client) => {
    await client.query("SAVEPOINT before");
    await client.query("UPDATE products SET name = 'Darjeeling'");
    await client.query("ROLLBACK TO before");
    await client.query("UPDATE products SET name = 'Ceylon'");
  });
  expect((await get(app, "/products", tag)).text).toContain("Ceylon");
});

test("a change between the check of the version and the read gets a tag of its own", async () => {
  const tag = await tagOf(app);
  const other = await startReplica(app);
  let answer: Promise<Answer> | undefined;
  await inTransaction(async (client) => {
    await client.query("LOCK TABLE products");
    answer = get(other, "/products");
    await eventually(async () => (await waitingForLocks(app)) === 1);
    await client.query("UPDATE products SET name = 'Darjeeling'");
  });
  expect((await answer)?.text).toContain("Darjeeling");
  expect((await answer)?.headers.etag).not.toBe(tag);
  await other.close();
});

test("what the database can't notice is seen after `catalogue touch`", async () => {
  const tag = await tagOf(app);
  await app.sql("ALTER TABLE products DISABLE TRIGGER record_catalogue_change");
  await app.sql("UPDATE products SET name = 'Darjeeling'");
  const environment = { DATABASE_URL: app.database.url };
  expect(await tea("catalogue touch", { environment })).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await get(app, "/products", tag)).text).toContain("Darjeeling");
});

test("an answer whose check comes late is not given once the catalogue has changed", async () => {
  // The checks may be held where they have their snapshot, before they tell it.
  await app.sql(
    `CREATE TABLE holds ();
     CREATE FUNCTION not_held() RETURNS boolean LANGUAGE plpgsql AS $$
     BEGIN
       IF EXISTS (SELECT FROM holds) THEN PERFORM pg_advisory_xact_lock_shared(1); END IF;
       RETURN true;
     END $$;
     ALTER TABLE catalogue_state RENAME TO state;
     CREATE VIEW catalogue_state AS SELECT tableoid, * FROM state WHERE not_held();`,
  );
  await app.sql("UPDATE products SET name = 'Darjeeling'");
  let late: Promise<Answer> | undefined;
  await inTransaction(async (holder) => {
    await inTransaction(async (client) => {
      await client.query("LOCK TABLE products");
      late = get(app, "/products");
      await eventually(async () => (await waitingForLocks(app)) === 1);
      await holder.query("SELECT pg_advisory_xact_lock(1)");
      await app.sql("INSERT INTO holds DEFAULT VALUES");
    });
    // The read may still be seen to wait for the table, so the check is looked for by its own lock.
    await eventually(async () => (await waitingForLocks(app, "advisory")) === 1);
    await app.sql("DELETE FROM holds");
    await app.sql("UPDATE products SET name = 'Assam'");
    expect((await get(app, "/products/1")).text).toContain("Assam");
  });
  expect((await late)?.text).toContain("Darjeeling");
  expect((await get(app, "/products")).text).toContain("Assam");
});

const GRAPHQL = JSON.stringify({ query: "{ products { data { name } } }" });

test.each([
  ["at REST", () => get(app, "/products/1")],
  ["at GraphQL", () => sendJson(app.url, "POST", "/graphql", GRAPHQL)],
])("an answer read before the version was lost is given: %s", async (_label, read) => {
  let answer: Promise<Answer> | undefined;
  await inTransaction(async (client) => {
    await client.query("LOCK TABLE products");
    answer = read();
    await eventually(async () => (await waitingForLocks(app)) === 1);
    await app.sql("ALTER TABLE catalogue_state RENAME TO gone");
  });
  const { status, text, headers } = (await answer)!;
  expect([status, text]).toEqual([200, expect.stringContaining('"name":"Assam"')]);
  await app.sql("ALTER TABLE gone RENAME TO catalogue_state");
  await app.sql("UPDATE products SET name = 'Darjeeling'");
  expect((await read()).text).toContain('"name":"Darjeeling"');
  const lines = await searchLog(app, String(headers["x-request-id"]));
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("an import in a long transaction and changes beside it wait for nobody", async () => {
  const products = await Promise.all([app.make.product(), app.make.product()]);
  await inTransaction(async (client) => {
    await client.query(
      `INSERT INTO products (name, slug, price, category_id)
       SELECT 'Imported ' || n, 'imported-' || n, n, $1 FROM generate_series(1, 2000) AS n`,
      [products[0].category_id],
    );
    // The import is not committed yet.
    for (const [index, { id }] of products.entries()) {
      await app.sql(`SET lock_timeout = '100ms'; UPDATE products SET price = 77 WHERE id = ${id}`);
      const answer = await sendJson(
        app.url,
        "PATCH",
        `/products/${id}/status`,
        `{"isActive":${String(index > 0)}}`,
        { authorization: app.asAdmin },
      );
      expect(answer.status).toBe(200);
      const read = await get(app, "/products");
      expect(read.text).toContain('"price":"77.00"');
      expect(read.text).not.toContain("Imported");
    }
    expect(await waitingForLocks(app)).toBe(0);
  });
  expect((await get(app, "/products")).text).toContain("Imported");
});

test("many changes leave no more marks than transactions ran at a time, at any level of isolation", async () => {
  await app.sql("DELETE FROM catalogue_changes");
  await Promise.all(
    ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"].map((level) =>
      inTransaction(async (client) => {
        await client.query(`SET TRANSACTION ISOLATION LEVEL ${level}`);
        await client.query("SELECT FROM catalogue_changes");
        for (let change = 0; change < 20; change += 1) {
          await app.sql("UPDATE products SET price = 1");
          await client.query("UPDATE categories SET name = name WHERE false");
        }
      }),
    ),
  );
  const [row] = await app.sql<{ count: number }>(
    "SELECT count(*)::integer AS count FROM catalogue_changes",
  );
  expect(row?.count).toBeLessThanOrEqual(6);
});

test("no tag of before a restore matches after it", async () => {
  const source = await createDatabase();
  const copy = nameInRun();
  const copyUrl = Object.assign(new URL(source.url), { pathname: copy }).href;
  try {
    const before = await startReplica(app, { database: { url: source.url } });
    const tag = await tagOf(before);
    expect((await get(before, "/products", tag)).status).toBe(304);
    await before.close();
    await administrate(`CREATE DATABASE ${copy} TEMPLATE ${source.name}`);
    const after = await startReplica(app, { database: { url: copyUrl } });
    expect((await get(after, "/products", tag)).status).toBe(200);
    await after.close();
    const [kept] = await query<{ marks: string }>(copyUrl, "SELECT marks FROM catalogue_state");
    expect(await query(source.url, "SELECT marks FROM catalogue_state")).toEqual([kept]);
  } finally {
    await administrate(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`);
    await source.drop();
  }
});

test("a change is seen though another had its transaction id before a restore", async () => {
  await app.sql(
    `INSERT INTO catalogue_changes (transaction, began)
     SELECT (pg_current_xact_id()::text::bigint + n)::text::xid8, '2026-01-01'
     FROM generate_series(1, 80) AS n`,
  );
  const tag = await tagOf(app);
  await app.sql("UPDATE products SET name = 'Darjeeling'");
  expect((await get(app, "/products", tag)).text).toContain("Darjeeling");
});

test("no tag of another build matches, those of another process do", async () => {
  const tag = await tagOf(app);
  const shops = [
    await startReplica(app, { catalogue: { build: "another" } }),
    await startReplica(app),
  ];
  const answers = await Promise.all(shops.map((shop) => get(shop, "/products", tag)));
  expect(answers.map(({ status }) => status)).toEqual([200, 304]);
  for (const shop of shops) await shop.close();
});
