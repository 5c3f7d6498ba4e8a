import { Migrator, seedDemo } from "../support/built.mjs";

/**
 * A database with a generated catalogue and orders, which `finish` may change. If it exists already and
 * is complete, it is used again.
 *
 * @param {import("../support/postgres.mjs").Postgres} postgres
 * @param {{
 *   name: string,
 *   products: number,
 *   orders: number,
 *   finish?: (sql: (text: string, values?: unknown[]) => Promise<any[]>) => Promise<unknown>,
 * }} shop
 */
export async function prepareShop(postgres, { name, products, orders, finish }) {
  const databaseUrl = postgres.url(name);
  const server = postgres.url("postgres");
  const isComplete = `SELECT 1 FROM pg_database WHERE datname = $1 AND shobj_description(oid, 'pg_database') = $2`;
  const content = `${products} products, ${orders} orders`;
  if ((await postgres.sql(server, isComplete, [name, content])).length === 0) {
    await postgres.sql(server, `DROP DATABASE IF EXISTS ${name}`);
    await postgres.sql(server, `CREATE DATABASE ${name} TEMPLATE template0`);
    await new Migrator({ databaseUrl }).up();
    await seedDemo(databaseUrl, { products, orders });
    await finish?.((text, values) => postgres.sql(databaseUrl, text, values));
    await postgres.sql(server, `COMMENT ON DATABASE ${name} IS '${content}'`);
  } else {
    await new Migrator({ databaseUrl }).up();
  }
  return { databaseUrl, orders, ...(await contentOf(postgres, databaseUrl)) };
}

/** What the requests are made of: products that can be ordered, and the category with the fewest products. */
async function contentOf(postgres, databaseUrl) {
  const rows = await postgres.sql(
    databaseUrl,
    "SELECT id FROM products WHERE is_active ORDER BY id LIMIT 1000",
  );
  const [{ id }] = await postgres.sql(
    databaseUrl,
    "SELECT category_id AS id FROM products GROUP BY 1 ORDER BY count(*), 1 LIMIT 1",
  );
  return { products: rows.map((row) => row.id), category: id };
}
