import path from "node:path";
import { makersOf, Migrator, seedDemo, Tokens } from "../support/built.mjs";
import { JWT_SECRET } from "./contenders.mjs";

/**
 * A database with a generated catalogue and orders, which `finish` may change. If it exists already and
 * is complete, it is used again. `makers` are those of another build, which makes it in place of this one.
 *
 * @param {import("../support/postgres.mjs").Postgres} postgres
 * @param {{
 *   name: string,
 *   products: number,
 *   orders: number,
 *   makers?: Awaited<ReturnType<typeof makersOf>>,
 *   finish?: (sql: (text: string, values?: unknown[]) => Promise<any[]>) => Promise<unknown>,
 * }} shop
 */
export async function prepareShop(
  postgres,
  { name, products, orders, finish, makers = { Migrator, seedDemo } },
) {
  const databaseUrl = postgres.url(name);
  const server = postgres.url("postgres");
  const isComplete = `SELECT 1 FROM pg_database WHERE datname = $1 AND shobj_description(oid, 'pg_database') = $2`;
  const content = `${products} products, ${orders} orders`;
  if ((await postgres.sql(server, isComplete, [name, content])).length === 0) {
    await postgres.sql(server, `DROP DATABASE IF EXISTS ${name}`);
    await postgres.sql(server, `CREATE DATABASE ${name} TEMPLATE template0`);
    await new makers.Migrator({ databaseUrl }).up();
    await makers.seedDemo(databaseUrl, { products, orders });
    await postgres.sql(databaseUrl, ADMINISTRATOR);
    await finish?.((text, values) => postgres.sql(databaseUrl, text, values));
    await postgres.sql(server, `COMMENT ON DATABASE ${name} IS '${content}'`);
  } else {
    await new makers.Migrator({ databaseUrl }).up();
  }
  return { databaseUrl, orders, ...(await contentOf(postgres, databaseUrl)) };
}

/**
 * The shop, and the same shop as the build in `dist` has it: that build makes it, and this one upgrades a copy, so both
 * have the same rows and each its own triggers. Without a `dist`, there is only the shop.
 */
export async function prepareShops(postgres, shop, dist) {
  if (dist === undefined) return { data: await prepareShop(postgres, shop), urls: {} };
  const name = `${shop.name}_before`;
  const makers = await makersOf(path.resolve(dist));
  const before = await prepareShop(postgres, { ...shop, name, makers });
  const server = postgres.url("postgres");
  await postgres.sql(server, `DROP DATABASE IF EXISTS ${shop.name}`);
  await postgres.sql(server, `CREATE DATABASE ${shop.name} TEMPLATE ${name}`);
  const databaseUrl = postgres.url(shop.name);
  await new Migrator({ databaseUrl }).up();
  return { data: { ...before, databaseUrl }, urls: { before: before.databaseUrl } };
}

const PASSWORD_HASH = "of no password";

const ADMINISTRATOR = `INSERT INTO admins (id, email, password_hash) VALUES (1, 'ada@bench.example', '${PASSWORD_HASH}')`;

/** A token of the administrator of a shop. */
const tokenOfAdministrator = () =>
  new Tokens({ secret: JWT_SECRET, previousSecrets: [], ttl: 86_400, loginTtl: 86_400 }).issue({
    id: 1,
    email: "ada@bench.example",
    role: "ADMIN",
    passwordHash: PASSWORD_HASH,
  });

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
  return { products: rows.map((row) => row.id), category: id, token: tokenOfAdministrator() };
}
