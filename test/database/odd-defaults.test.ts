/** @check */

import { Client } from "pg";
import { Migrator } from "../../src/database/migrations/migrator";
import { checkDatabase } from "../../src/database/checks/database-check";
import { tea } from "../cli/terminal";
import { waitingForLocks } from "../support/locks";
import { eventually } from "../support/eventually";
import { startApp, type TestApp } from "../support/app";
import { administrate, createEmptyDatabase, query, type TestDatabase } from "../support/database";
import { send, sendJson, type Answer } from "../support/raw-http";

type Defaults = Readonly<Record<string, string>>;

const alone: Defaults[] = [
  { datestyle: "'German, DMY'" },
  { datestyle: "'SQL, MDY'" },
  { datestyle: "'Postgres, YMD'" },
  { intervalstyle: "'sql_standard'" },
  { timezone: "'Asia/Kathmandu'" },
  { default_transaction_isolation: "'serializable'" },
  { default_transaction_isolation: "'repeatable read'" },
  { standard_conforming_strings: "off", escape_string_warning: "off" },
  { search_path: "tea, public" },
  { client_encoding: "'LATIN1'" },
];

const allAtOnce: Defaults = {
  datestyle: "'SQL, DMY'",
  intervalstyle: "'iso_8601'",
  timezone: "'America/St_Johns'",
  default_transaction_isolation: "'serializable'",
  default_transaction_deferrable: "on",
  standard_conforming_strings: "off",
  escape_string_warning: "off",
  client_encoding: "'LATIN1'",
  bytea_output: "'escape'",
  extra_float_digits: "-15",
  array_nulls: "off",
  transform_null_equals: "on",
  quote_all_identifiers: "on",
};

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What only plain strings and UTF-8 keep. */
const NAME = "Grüner Tee \\' 茶 \\";

const post = (app: TestApp, path: string, body: object): Promise<Answer> =>
  sendJson(app.url, "POST", path, JSON.stringify(body), { authorization: app.asAdmin });

const patch = (app: TestApp, path: string, body: object): Promise<Answer> =>
  sendJson(app.url, "PATCH", path, JSON.stringify(body), { authorization: app.asAdmin });

const get = (app: TestApp, path: string): Promise<Answer> =>
  send(app.url, { method: "GET", path, headers: { authorization: app.asAdmin } });

/** Reads, orders, and changes that meet. */
async function useShop(app: TestApp): Promise<void> {
  const { body: category } = await post(app, "/categories", { name: NAME });
  const { id: categoryId } = category as { id: number };
  expect(category).toMatchObject({ name: NAME, createdAt: expect.stringMatching(ISO) as string });
  const sent = { name: NAME, price: "12.34", categoryId, isActive: true };
  const { body: product } = await post(app, "/products", sent);
  const { id } = product as { id: number };
  expect(product).toMatchObject({ name: NAME, updatedAt: expect.stringMatching(ISO) as string });
  expect((await get(app, `/products/${id}`)).body).toEqual(product);
  expect((await get(app, `/products/category/${categoryId}`)).body).toEqual([product]);
  expect((await get(app, "/products")).body).toMatchObject({ data: [product] });
  const item = { productId: id, quantity: 2 };
  const before = Date.now();
  const order = { customerEmail: "ada@example.com", items: [item] };
  const placed = await Promise.all(Array.from({ length: 8 }, () => post(app, "/orders", order)));
  expect(placed.map(({ status }) => status)).toEqual(Array(8).fill(201));
  const [{ createdAt }] = placed.map(({ body }) => body as { createdAt: string }) as [
    { createdAt: string },
  ];
  expect(createdAt).toMatch(ISO);
  expect(Math.abs(Date.parse(createdAt) - before)).toBeLessThan(600_000);
  expect((await get(app, "/orders?customerEmail=ADA@example.com")).body).toMatchObject({
    meta: { total: 8 },
  });
  // Two of each wait for a third one to commit: stricter isolation fails both, or the second again.
  const email = "ada@example.com";
  await app.make.subscriber({ email });
  const third = new Client({ connectionString: app.settings.database.url });
  await third.connect();
  await third.query("BEGIN ISOLATION LEVEL READ COMMITTED");
  for (const table of ["products", "categories", "newsletter_subscribers"]) {
    await third.query(`UPDATE ${table} SET is_active = true`);
  }
  const reader = { query: `mutation { subscribeToNewsletter(email: "${email}") }` };
  const changes = [true, false].flatMap((isActive) => [
    patch(app, `/products/${id}/status`, { isActive }),
    patch(app, `/categories/${categoryId}`, { isActive }),
    post(app, "/graphql", reader),
  ]);
  await eventually(async () => (await waitingForLocks(app)) === changes.length);
  await third.query("COMMIT");
  await third.end();
  const answers = await Promise.all(changes);
  expect(answers.filter(({ status, text }) => status !== 200 || /errors/.test(text))).toEqual([]);
}

let database: TestDatabase | undefined;

afterEach(async () => {
  await database?.drop();
  database = undefined;
});

test.each(alone)(
  "a database whose sessions begin with %j serves as any other",
  async (defaults) => {
    database = await createEmptyDatabase({ defaults });
    await query(database.url, "CREATE SCHEMA tea");
    const migrator = new Migrator({ databaseUrl: database.url });
    await migrator.up();
    expect((await migrator.status()).map(({ appliedAt }) => appliedAt?.getTime())).not.toContain(
      NaN,
    );
    const app = await startApp({ database: { url: database.url } });
    await useShop(app);
    await app.close();
  },
);

test("a database whose language has other capitals names fields as any other", async () => {
  const options = "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LC_COLLATE 'C' LC_CTYPE 'C'";
  database = await createEmptyDatabase({ options });
  await new Migrator({ databaseUrl: database.url }).up();
  const app = await startApp({ database: { url: database.url } });
  await app.make.product();
  const fields = await query<{ field: string }>(
    database.url,
    "SELECT change->>'field' AS field FROM audit_entries, jsonb_array_elements(changes) AS change WHERE subject = 'PRODUCT'",
  );
  expect(fields.map(({ field }) => field).sort()).toEqual([
    ...["categoryId", "createdAt", "description", "isActive", "name", "price", "slug"],
  ]);
  await app.close();
});

test("defaults that change once it is migrated, all at once, make no difference", async () => {
  database = await createEmptyDatabase();
  await new Migrator({ databaseUrl: database.url }).up();
  await query(database.url, "CREATE SCHEMA elsewhere");
  for (const [name, value] of Object.entries({ ...allAtOnce, search_path: "elsewhere" })) {
    await administrate(`ALTER DATABASE ${database.name} SET ${name} = ${value}`);
  }
  const app = await startApp({ database: { url: database.url } });
  await useShop(app);
  await app.close();
});

test("where the database's collation folds É, a list by name has each product once", async () => {
  database = await createEmptyDatabase({
    options: "ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en'",
  });
  await new Migrator({ databaseUrl: database.url }).up();
  const app = await startApp({ database: { url: database.url } });
  for (const name of ["Éclair", "zebra", "éclair", "Ärger", "Assam"])
    await app.make.product({ name });
  const names: string[] = [];
  let after: string | null = null;
  do {
    const query = `query ($after: String) { productsConnection(
      first: 1, after: $after, sort: { field: NAME, direction: ASC }
    ) { edges { cursor node { name } } pageInfo { hasNextPage } } }`;
    const { text } = await post(app, "/graphql", { query, variables: { after } });
    const { edges, pageInfo } = (
      JSON.parse(text) as {
        data: {
          productsConnection: {
            edges: { cursor: string; node: { name: string } }[];
            pageInfo: { hasNextPage: boolean };
          };
        };
      }
    ).data.productsConnection;
    names.push(edges[0]!.node.name);
    after = pageInfo.hasNextPage ? edges[0]!.cursor : null;
  } while (after !== null && names.length < 10);
  // By code point, in which only ASCII is folded (contract 4).
  expect(names).toEqual(["Assam", "zebra", "Ärger", "Éclair", "éclair"]);
  await app.close();
});

test.each(["SQL_ASCII", "LATIN1"])(
  "a database with the encoding %s is refused",
  async (encoding) => {
    database = await createEmptyDatabase({ options: `ENCODING '${encoding}' LOCALE 'C'` });
    const { url } = database;
    const told = `has the encoding ${encoding}; UTF8 is required.`;
    const { exitCode, stderr } = await tea("migrate up", { environment: { DATABASE_URL: url } });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(told)]);
    await expect(checkDatabase(url)).rejects.toThrow(
      `${told} An encoding can't be changed, so create another database: CREATE DATABASE`,
    );
    expect(await query(url, "SELECT FROM pg_class WHERE relname = 'schema_migrations'")).toEqual(
      [],
    );
  },
);
