import sql from "sql-template-tag";
import { connect } from "../../src/database/pool";
import { runSql } from "../../src/database/sql";
import { inTransaction } from "../../src/database/transaction";
import { createServices } from "../../src/services";
import { startApp, type TestApp } from "../support/app";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ database: { poolSize: 1 } });
});
afterAll(() => app.close());

const prepared = sql`SELECT name, statement FROM pg_prepared_statements ORDER BY name`;

test.each([
  [true, [{ name: "one", statement: "SELECT $1::integer AS one" }]],
  [false, []],
])("with NAMED_STATEMENTS %p a session keeps %j", async (namedStatements, kept) => {
  const sequelize = connect({ url: app.database.url, poolSize: 1, namedStatements });
  const one = () => runSql(sequelize, sql`SELECT ${1}::integer AS one`, { name: "one" });
  expect([await one(), await one()]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  expect(await runSql(sequelize, prepared)).toEqual(kept);
  await sequelize.close();
});

test("reads of all kinds are prepared once, whatever clients ask for", async () => {
  await app.make.product();
  const sequelize = connect({ url: app.database.url, poolSize: 1 });
  const services = createServices(sequelize, app.settings);
  const { products } = services;
  for (let page = 1; page <= 20; page += 1) {
    await products.page({ page, pageSize: page });
    await products.page({ page: 1, pageSize: page });
    await products.page({ page, pageSize: page }, { filter: { search: `word ${page}` } });
    await products.find({ id: page });
    await products.find({ slug: `tea-${page}` });
  }
  const names = await runSql<{ name: string }>(sequelize, prepared);
  expect(names.map(({ name }) => name)).toEqual([
    "kept products, first",
    "kept products, first 10",
    "kept products, first 11",
    "kept products, first 20",
    "kept products, near",
    "kept products, near 10",
    "kept products, near 11",
    "kept products, near 20",
    "products by id",
    "products by slug",
  ]);
  await services.close();
  await sequelize.close();
});

test("a migration that changes a column's type fails no request", async () => {
  const { id } = await app.make.product();
  await app.http.get(`/products/${id}`).expect(200);
  await app.sql("ALTER TABLE products ALTER COLUMN price TYPE numeric(12, 2)");
  await app.http.get(`/products/${id}`).expect(200);
  await app.http.get(`/products/${id}`).expect(200);
});

test("a statement of a transaction that has ended is refused", async () => {
  const sequelize = connect({ url: app.database.url, poolSize: 1 });
  const ended = await inTransaction(sequelize, (transaction) => Promise.resolve({ transaction }));
  await expect(runSql(sequelize, sql`SELECT 1`, ended)).rejects.toThrow("has ended");
  await sequelize.close();
});
