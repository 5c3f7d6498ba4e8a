/** @check */

import { Client } from "pg";
import { createDatabase, query, type TestDatabase } from "../support/database";

jest.setTimeout(60_000);

const WRITERS = 16;
/** Rounds of each reader, in each of which it reads every list in one statement, and all their segments. */
const ROUNDS = 15;
/** The most transactions of a writer: their dead rows slow the readers down, on a slow machine without end. */
const MOST_TURNS = 80;
const CATEGORIES = 3;

let database: TestDatabase;
const clients: Client[] = [];
beforeAll(async () => {
  database = await createDatabase();
  await query(
    database.url,
    `INSERT INTO categories (name, slug) SELECT 'C', 'c-' || n FROM generate_series(1, ${CATEGORIES}) n`,
  );
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
});

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  // Nobody may wait for another transaction, but for its change of the same row.
  await client.query("SET lock_timeout = '5s'; SET statement_timeout = 0");
  return client;
}

const someProduct = "SELECT id FROM products ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED";
const someOrders = (most: number) =>
  `SELECT id FROM orders ORDER BY random() LIMIT ${most} FOR UPDATE SKIP LOCKED`;
/** Now, in the past, or at one of few moments that many rows share. */
const someTime = `CASE WHEN random() < 0.5 THEN now()
  ELSE timestamptz '2026-01-01' + trunc(random() * 20) * interval '1 hour' END`;

const writes = (writer: number, turn: number): string[] => [
  `INSERT INTO orders (customer_email, total_amount, created_at)
   SELECT 'a@b.co', 1, ${someTime} FROM generate_series(1, 1 + ${turn} % 7 * 20)`,
  `UPDATE orders SET status = (ARRAY['PENDING', 'PAID', 'CANCELLED'])[1 + trunc(random() * 3)]::order_status
   WHERE id IN (${someOrders(30)})`,
  `INSERT INTO products (name, slug, price, is_active, category_id, created_at)
   SELECT 'T', 't-${writer}-${turn}-' || n, 1, random() < 0.5, 1 + trunc(random() * ${CATEGORIES}), ${someTime}
   FROM generate_series(1, 40) n`,
  `UPDATE products SET category_id = 1 + trunc(random() * ${CATEGORIES}), is_active = random() < 0.5
   WHERE id IN (${someProduct})`,
  `UPDATE products SET created_at = ${someTime}, price = 2 WHERE id IN (${someProduct})`,
  `DELETE FROM products WHERE id IN (SELECT id FROM products WHERE id % 5 = 0 LIMIT 10 FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM orders WHERE id IN (${someOrders(20)})`,
  `INSERT INTO products (name, slug, price, category_id) VALUES ('T', 'kept', 1, 1)
   ON CONFLICT (slug) DO UPDATE SET is_active = NOT products.is_active`,
];

async function write(writer: number, end: AbortSignal): Promise<void> {
  const client = await connected();
  for (let turn = 0; turn < MOST_TURNS && !end.aborted; turn += 1) {
    const statements = writes(writer, turn).filter((_, index) => (index + turn + writer) % 3 === 0);
    await client.query("BEGIN");
    for (const statement of statements) {
      await client.query("SAVEPOINT before");
      await client.query(statement);
      if ((turn + writer) % 5 === 0) await client.query("ROLLBACK TO before");
    }
    await client.query((turn + writer) % 4 === 0 ? "ROLLBACK" : "COMMIT");
  }
}

/** Every list by what is kept, and by its rows, in one snapshot. */
const totals = `
  SELECT table_name, list, total,
    CASE table_name WHEN 'orders' THEN
      (SELECT count(*) FROM orders WHERE list IN ('', 'status=' || status))
    ELSE
      (SELECT count(*) FROM products
       WHERE list IN ('', 'is_active=' || is_active, 'category_id=' || category_id,
                      'category_id=' || category_id || '&is_active=' || is_active))
    END AS counted
  FROM kept_list_names CROSS JOIN LATERAL list_total(table_name, list)`;

const faults = `SELECT names.*, faults.* FROM kept_list_names AS names
  CROSS JOIN LATERAL list_faults(table_name, list) AS faults`;

async function read(): Promise<void> {
  const client = await connected();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rows } = await client.query<{ total: string; counted: string }>(totals);
    for (const row of rows) expect(row.total).toBe(row.counted);
    expect((await client.query(faults)).rows).toEqual([]);
  }
}

/** Returns the number of changes that were folded. */
async function fold(end: AbortSignal): Promise<number> {
  const client = await connected();
  let sum = 0;
  while (!end.aborted) {
    const { rows } = await client.query<{ orders: number; products: number }>(
      `SELECT fold_changes('orders', 1000000) AS orders, fold_changes('products', 1000000) AS products`,
    );
    for (const { orders, products } of rows) sum += orders + products;
  }
  return sum;
}

test("in every snapshot, what is kept of a list is what its rows are, whatever writes and folds", async () => {
  // A transaction with a change of its own, and a snapshot of the beginning.
  const long = await connected();
  await long.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await long.query("INSERT INTO orders (customer_email, total_amount) VALUES ('a@b.co', 1)");

  const end = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer, end.signal));
  const folders = [fold(end.signal), fold(end.signal)];
  await Promise.all([read(), read()]).finally(() => end.abort());
  await Promise.all(writers);
  const folded = await Promise.all(folders);

  expect((await long.query(faults)).rows).toEqual([]);
  await long.query("COMMIT");
  expect((await long.query(faults)).rows).toEqual([]);
  await long.query("SELECT fold_changes('orders', 1000000), fold_changes('products', 1000000)");
  expect((await long.query(faults)).rows).toEqual([]);
  expect((await long.query("SELECT FROM list_changes")).rows).toEqual([]);
  // Whoever folds took part, or little is shown; neither lost its way and had to count anew.
  expect(folded[0]! + folded[1]!).toBeGreaterThan(1000);
  expect((await long.query("SELECT FROM kept_tables WHERE NOT is_counted")).rows).toEqual([]);
}, 120_000);
