import path from "node:path";
import { Migrator, migratorOf, Tokens } from "../support/built.mjs";
import { addBulk } from "./bulk.mjs";
import { JWT_SECRET } from "./contenders.mjs";

/**
 * A database with a generated catalogue and orders. If it exists already and is complete, it is used again. `Build`
 * is the migrator of another build, which creates its tables instead of this one.
 */
async function prepareShop(postgres, name, size, Build = Migrator) {
  const databaseUrl = postgres.url(name);
  const isComplete = `SELECT 1 FROM pg_database WHERE datname = $1 AND shobj_description(oid, 'pg_database') = 'complete'`;
  if ((await postgres.tell(isComplete, [name])).length === 0) {
    await postgres.tell(`DROP DATABASE IF EXISTS ${name}`);
    await postgres.tell(`CREATE DATABASE ${name} TEMPLATE template0`);
    await new Build({ databaseUrl }).up();
    await addBulk(databaseUrl, size);
    await postgres.sql(databaseUrl, ADMINISTRATOR);
    await postgres.tell(`COMMENT ON DATABASE ${name} IS 'complete'`);
  } else {
    await new Build({ databaseUrl }).up();
  }
  return databaseUrl;
}

/**
 * The shop, and the same shop as the build in `dist` has it: that build makes it, and this one upgrades a copy, so both
 * have the same rows and each its own triggers. Without a `dist`, there is only the shop.
 */
export async function prepareShops(postgres, size, dist) {
  const name = `shop_${size.products}_${size.orders}`;
  if (dist === undefined) {
    const databaseUrl = await prepareShop(postgres, name, size);
    return { data: await dataOf(postgres, databaseUrl), urls: {} };
  }
  const build = await migratorOf(path.resolve(dist));
  const before = await prepareShop(postgres, `${name}_before`, size, build);
  await postgres.tell(`DROP DATABASE IF EXISTS ${name}`);
  await postgres.tell(`CREATE DATABASE ${name} TEMPLATE ${name}_before`);
  const databaseUrl = postgres.url(name);
  await new Migrator({ databaseUrl }).up();
  return { data: await dataOf(postgres, databaseUrl), urls: { before } };
}

const PASSWORD_HASH = "of no password";

const ADMINISTRATOR = `INSERT INTO admins (id, email, password_hash) VALUES (1, 'ada@bench.example', '${PASSWORD_HASH}')`;

const SESSION_ID = "00000000-0000-4000-8000-000000000001";

const SESSION = `INSERT INTO sessions (id, admin_id, idle_until, ends_at)
  VALUES ('${SESSION_ID}', 1, now() + interval '1 day', now() + interval '1 day') ON CONFLICT DO NOTHING`;

/** A token of the administrator's session; a build that knows no sessions takes it, too. */
function tokenOfAdministrator() {
  const secrets = { secret: JWT_SECRET, previousSecrets: [] };
  const tokens = new Tokens({ ...secrets, ttl: 86_400, loginTtl: 86_400 }, secrets);
  const account = { id: 1, email: "ada@bench.example", role: "ADMIN" };
  return tokens.issue({ ...account, passwordHash: PASSWORD_HASH }, SESSION_ID, tokens.firstTimes());
}

/** What requests are made of: products that can be ordered, the smallest category, and how long the lists are. */
async function dataOf(postgres, databaseUrl) {
  const read = (text) => postgres.sql(databaseUrl, text);
  await read(SESSION);
  const rows = await read("SELECT id FROM products WHERE is_active ORDER BY id LIMIT 1000");
  const [{ category }] = await read(
    "SELECT category_id AS category FROM products GROUP BY 1 ORDER BY count(*), 1 LIMIT 1",
  );
  const [counts] = await read(
    "SELECT (SELECT count(*)::int FROM products) AS products, (SELECT count(*)::int FROM orders) AS orders",
  );
  const products = rows.map(({ id }) => id);
  return { databaseUrl, products, category, counts, token: tokenOfAdministrator() };
}
