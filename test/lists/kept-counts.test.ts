/** @check */
import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";

jest.setTimeout(60_000);

let app: TestApp;
const sessions: Client[] = [];
beforeEach(async () => {
  app = await startApp();
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.end()));
  await app.close();
});

/** A connection of its own, on which whoever waits for another session fails. */
async function session(): Promise<Client> {
  const client = new Client({ connectionString: app.database.url });
  client.on("error", () => undefined);
  sessions.push(client);
  await client.connect();
  await client.query("SET statement_timeout = '2s'");
  return client;
}

type Table = "orders" | "products";

async function fold(table: Table, most = 1_000_000): Promise<number | null> {
  const [row] = await app.sql<{ folded: number | null }>("SELECT fold_changes($1, $2) AS folded", [
    table,
    most,
  ]);
  return row!.folded;
}

/** The total of a list, such as `orders?status=PAID`. */
async function totalOf(list: string): Promise<number> {
  const { status, body } = await app.http.get(`/${list}`).set("authorization", app.asAdmin);
  expect(status).toBe(200);
  return (body as { meta: { total: number } }).meta.total;
}

const ORDER_TOTALS = ["orders", "orders?status=PENDING", "orders?status=PAID"];
const orderTotals = () => Promise.all(ORDER_TOTALS.map(totalOf));

/** Every part of a list of which another number is kept than it has rows. */
const faults = () =>
  app.sql(`SELECT * FROM kept_list_names AS names
    CROSS JOIN LATERAL list_faults(names.table_name, names.list) AS faults`);

/** Adds orders from a time on, every other one paid, and four of each moment. */
const addOrders = (count: number, from = "2026-01-01", milliseconds = 7) =>
  app.sql(
    `INSERT INTO orders (customer_email, total_amount, status, created_at)
     SELECT 'a@b.co', 1, (ARRAY['PENDING', 'PAID'])[1 + n % 2]::order_status,
       timestamptz '${from}' + n / 4 * interval '${milliseconds} milliseconds'
     FROM generate_series(1, ${count}) AS n`,
  );

/** Splits the list of all 300 orders into segments of 50 and 100 rows, as if those were 1,000 and 50,000. */
const splitOrders = () =>
  app.sql(
    `WITH gone AS (DELETE FROM list_segments WHERE list = '' AND height < 2)
     INSERT INTO list_segments (table_name, list, height, from_created_at, from_id, count)
     SELECT 'orders', '', height, CASE WHEN place > 0 THEN created_at ELSE '-infinity' END,
       CASE WHEN place > 0 THEN id ELSE -2147483648 END, size
     FROM (VALUES (0, 50), (1, 100)) AS sizes (height, size),
       (SELECT *, row_number() OVER (ORDER BY created_at, id) - 1 AS place FROM orders) AS numbered
     WHERE place % size = 0
     ON CONFLICT (table_name, list, height, from_created_at, from_id) DO UPDATE SET count = excluded.count`,
  );

/** The rows that are not found behind those before them, or only after a walk through most of the list. */
const misplaced = () =>
  app.sql(
    `SELECT skipped, rows.id, first.id AS found, left_to_skip
     FROM (SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) - 1 AS skipped FROM orders) AS rows
     CROSS JOIN LATERAL find_in_list('orders', '', skipped) AS list
     LEFT JOIN LATERAL (
       SELECT id FROM orders WHERE (created_at, id) < (below_created_at, below_id)
       ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET left_to_skip
     ) AS first ON true
     WHERE first.id IS DISTINCT FROM rows.id OR left_to_skip >= 90`,
  );

test("no page begins too early or too late, whatever changed at the ends of segments", async () => {
  await addOrders(300);
  await fold("orders");
  await splitOrders();
  expect([await misplaced(), await faults()]).toEqual([[], []]);

  await app.sql("DELETE FROM orders WHERE id % 50 = 1");
  await app.sql("UPDATE orders SET created_at = '2026-01-01 00:00:00.176' WHERE id % 31 = 0");
  await addOrders(20);
  expect([await misplaced(), await faults()]).toEqual([[], []]);
  await fold("orders");
  expect([await misplaced(), await faults()]).toEqual([[], []]);
});

test("segments that grow are split where they are, and those that shrink are merged", async () => {
  await addOrders(8000);
  expect(await fold("orders")).toBe(8000);
  expect(await faults()).toEqual([]);

  await addOrders(2500, "2026-01-01 00:00:05.5", 1);
  expect(await fold("orders")).toBe(2500);
  expect(await faults()).toEqual([]);
  expect(await app.sql("SELECT FROM list_segments WHERE height = 0 AND count > 2000")).toEqual([]);

  await app.sql("DELETE FROM orders WHERE id % 51 > 0");
  await fold("orders");
  expect(await faults()).toEqual([]);
  expect(
    await app.sql("SELECT FROM list_segments WHERE list = '' AND height = 0 AND count < 100"),
  ).toEqual([]);
});

test("every list has a kept total that changes with its rows, so that no reader counts", async () => {
  const lists = `SELECT names.list FROM kept_list_names AS names, list_total(table_name, list)
    WHERE total IS NULL`;
  expect(await app.sql(lists)).toEqual([]);
  await addOrders(5);
  expect(await orderTotals()).toEqual([5, 2, 3]);
  await fold("orders");
  await app.sql("UPDATE orders SET status = 'PENDING' WHERE id = 1");
  await app.sql("DELETE FROM orders WHERE id = 3");
  expect(await orderTotals()).toEqual([4, 3, 1]);
  await fold("orders");
  expect(await orderTotals()).toEqual([4, 3, 1]);
  expect(await app.sql(lists)).toEqual([]);
});

test("rows that the service adds are folded as soon as they are many, without a reader", async () => {
  const { id: categoryId } = await app.make.category();
  const product = { name: "Sencha", price: "9.90", categoryId };
  for (let added = 0; added < 100; added += 1)
    await app.http.post("/products").set("authorization", app.asAdmin).send(product).expect(201);
  await eventually(async () => {
    const [row] = await app.sql<{ unfolded: number }>(
      "SELECT unfolded::integer FROM list_total('products', '')",
    );
    return row!.unfolded < 50;
  });
});

test("an order that is placed while the lists are counted is counted once", async () => {
  await addOrders(4);
  await fold("orders");
  const holder = await session();
  await holder.query("BEGIN; SELECT FROM list_segments FOR UPDATE");
  const counter = await session();
  const counted = counter.query("SELECT count_lists('orders') AS done");
  await eventually(async () => (await waitingForLocks(app)) === 1);
  await addOrders(3);
  await holder.query("COMMIT");
  expect((await counted).rows).toEqual([{ done: true }]);
  expect([await totalOf("orders"), await faults()]).toEqual([7, []]);
});

/** Whether readers step over none of the changes of orders that are there no more. */
const nothingToStepOver = async () => {
  const [row] = await app.sql<{ skipped: boolean }>(
    `SELECT folded_to = last_value AS skipped FROM kept_tables, list_changes_id_seq
     WHERE table_name = 'orders'`,
  );
  return row!.skipped;
};

test("an order is counted, though its transaction was open while others counted", async () => {
  const customer = await session();
  await customer.query("BEGIN");
  await customer.query("INSERT INTO orders (customer_email, total_amount) VALUES ('a@b.co', 1)");
  await addOrders(3);
  await app.sql("SELECT count_lists('orders')");
  expect(await totalOf("orders")).toBe(3);
  await customer.query("COMMIT");
  expect(await totalOf("orders")).toBe(4);
  // Transactions in other databases of the server, such as other tests', are waited for, too.
  await eventually(async () => {
    await fold("orders");
    return nothingToStepOver();
  });
  expect([await totalOf("orders"), await faults()]).toEqual([4, []]);
});

test.each([
  ["has locked the table", "LOCK TABLE orders"],
  ["is folding", "SELECT begin_keeping('orders')"],
])("nobody waits to fold or to count for a session that %s", async (_label, statement) => {
  await addOrders(3);
  const holder = await session();
  await holder.query(`BEGIN; ${statement}`);
  const other = await session();
  const { rows } = await other.query("SELECT fold_changes('orders', 1000) AS folded");
  expect(rows).toEqual([{ folded: 0 }]);
  const counted = await other.query("SELECT count_lists('orders') AS done");
  expect(counted.rows).toEqual([{ done: false }]);
  await holder.query("COMMIT");
  expect(await fold("orders")).toBe(3);
});
