import { Client } from "pg";
import { useApp } from "../support/app";

jest.setTimeout(60_000);

const app = useApp();
const clients: Client[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.end())));

/** A session, in which whoever waits for another one fails. */
async function session(): Promise<Client> {
  const client = new Client({ connectionString: app.database.url });
  await client.connect();
  clients.push(client);
  await client.query("SET lock_timeout = '1s'; SET statement_timeout = '20s'");
  return client;
}

/** The stored totals and those of the rows, in one snapshot. */
const TOTALS = `
  SELECT (SELECT json_object_agg(status, ARRAY[orders, amount] ORDER BY status)::text
          FROM order_totals() WHERE orders <> 0) AS stored,
    (SELECT json_object_agg(status, ARRAY[orders, amount] ORDER BY status)::text
     FROM (SELECT status, count(*) AS orders, sum(total_amount) AS amount FROM orders GROUP BY status) AS rows) AS counted`;

async function expectExact(client: Pick<Client, "query">): Promise<void> {
  const [totals] = (await client.query<{ stored: string; counted: string }>(TOTALS)).rows;
  expect(totals!.stored).toBe(totals!.counted);
}

const ORDER = "INSERT INTO orders (customer_email, total_amount) VALUES ('a@b.co', 12.34)";

async function totalOf(list: string): Promise<number> {
  const { body } = await app.http.get(`/orders${list}`).set("authorization", app.asAdmin);
  return (body as { meta: { total: number } }).meta.total;
}

const WRITERS = 6;
const TURNS = 25;

const some = "id IN (SELECT id FROM orders ORDER BY random() LIMIT 5 FOR UPDATE SKIP LOCKED)";
const CHANGES = [
  `INSERT INTO orders (customer_email, total_amount, status) SELECT 'a@b.co', n, 'PAID' FROM generate_series(1, 7) AS n`,
  `UPDATE orders SET status = 'CANCELLED', total_amount = total_amount + 1 WHERE ${some}`,
  `UPDATE orders SET status = 'PENDING' WHERE ${some}`,
  `DELETE FROM orders WHERE ${some}`,
  ORDER,
];

/** Transactions of several changes, some of which are undone as a whole or in part. */
async function write(writer: number): Promise<void> {
  const client = await session();
  for (let turn = writer; turn < writer + TURNS; turn += 1) {
    // In REPEATABLE READ, a change of a row that others have changed would fail.
    const changes =
      turn % 4 === 0 ? [ORDER, ORDER] : CHANGES.filter((_, at) => (at + turn) % 3 > 0);
    await client.query(turn % 4 === 0 ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN");
    for (const change of changes) {
      await client.query("SAVEPOINT before");
      await client.query(change);
      if (turn % 5 === 0) await client.query("ROLLBACK TO before");
    }
    await client.query(turn % 7 === 0 ? "ROLLBACK" : "COMMIT");
  }
}

test("in every snapshot, the stored totals are those of the rows, whatever is written", async () => {
  const old = await session();
  await old.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await old.query(ORDER);
  let isWriting = true;
  const read = async () => {
    const client = await session();
    while (isWriting) await expectExact(client);
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  await Promise.all([read(), read(), writing.finally(() => (isWriting = false))]);
  await expectExact(old);
  await old.query(ORDER);
  await expectExact(old);
  await old.query("COMMIT");
  await expectExact(old);
  const status = await app.sql<{ rows: number }>(
    "SELECT count(*)::integer AS rows FROM orders WHERE status = 'PAID'",
  );
  expect(await totalOf("?status=PAID")).toBe(status[0]!.rows);
  await app.sql("TRUNCATE orders CASCADE");
  await expectExact(old);
  expect(await totalOf("")).toBe(0);
});

test("no order waits for the counts of transactions that stay open, nor these for each other", async () => {
  await app.sql(`INSERT INTO orders (customer_email, total_amount, status)
    SELECT 'a@b.co', 1, (ARRAY['PENDING', 'PAID'])[1 + n % 2]::order_status FROM generate_series(1, 4) AS n`);
  const change = "UPDATE orders SET total_amount = 2 WHERE status = $1 AND id % 4 = $2";
  const [one, other, writer] = [await session(), await session(), await session()];
  await one.query("BEGIN");
  await other.query("BEGIN");
  await one.query(change, ["PAID", 1]);
  await other.query(change, ["PENDING", 2]);
  await one.query(change, ["PENDING", 0]);
  await other.query(change, ["PAID", 3]);
  for (let placed = 0; placed < 500; placed += 1) await writer.query(ORDER);
  await expectExact(writer);
  expect(await totalOf("")).toBe(504);
  await one.query("COMMIT");
  await other.query("COMMIT");
  await expectExact(writer);
});

test("orders that were loaded without triggers are counted and found on demand, while others are placed", async () => {
  await app.sql("TRUNCATE orders, customer_addresses CASCADE");
  const [writer, loader] = [await session(), await session()];
  for (let placed = 0; placed < 10; placed += 1) await writer.query(ORDER);
  await loader.query("SET session_replication_role = replica");
  await loader.query(
    "UPDATE orders SET status = 'PAID', customer_email = 'Past@B.co' WHERE id % 4 = 0",
  );
  const recounted = new AbortController();
  const recounting = (async () => {
    await loader.query("SELECT recount_orders(), add_missing_addresses()");
    await loader.query("SELECT recount_orders(), add_missing_addresses()");
  })().finally(() => recounted.abort());
  while (!recounted.signal.aborted) await writer.query(ORDER);
  await recounting;
  await expectExact(writer);
  const { rows } = await writer.query("SELECT address FROM customer_addresses ORDER BY address");
  expect(rows).toEqual([{ address: "a@b.co" }, { address: "past@b.co" }]);
});
