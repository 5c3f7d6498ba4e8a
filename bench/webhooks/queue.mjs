import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { call } from "../support/http.mjs";
import { until } from "../support/processes.mjs";
import { Shop, startReceiver } from "./shop.mjs";

const ENDPOINTS = 100;

/** How many deliveries wait, and how many are drained. */
const WAITING = 1_000_000;
const DRAINED = 50_000;

/** Milliseconds for which polls are watched. */
const WATCHED = 20_000;

/** Polls while many deliveries wait, and the drain of a queue. */
export async function measureQueue({ postgres, cleanup, short }) {
  const [waiting, drained] = short ? [50_000, 5_000] : [WAITING, DRAINED];
  const receiver = await startReceiver(cleanup);
  const shop = await Shop.create(postgres, cleanup);
  await shop.createEndpoints(receiver.url, ENDPOINTS);
  await tell(shop, waiting / ENDPOINTS);
  await shop.sql("UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 day'");
  await shop.sql("VACUUM ANALYZE webhook_deliveries");
  const service = await shop.start();
  const idle = await pollsOf(service);
  await shop.sql("UPDATE webhook_deliveries SET next_attempt_at = now()");
  await shop.sql("VACUUM ANALYZE webhook_deliveries");
  await setTimeout(2_000);
  const before = receiver.count;
  const busy = await pollsOf(service);
  const rate = ((receiver.count - before) * 1_000) / WATCHED;
  await service.stop();

  const rows = [
    [
      `A poll with ${grouped(waiting)} deliveries of ${ENDPOINTS} endpoints that wait for their next try`,
      text(idle),
    ],
    [`A poll while as many are due, and ${Math.round(rate)} a second are sent`, text(busy)],
  ];
  for (const held of [false, true]) {
    await shop.sql("TRUNCATE webhook_deliveries, events");
    await tell(shop, drained / ENDPOINTS);
    rows.push(await drain(shop, drained, held));
  }
  return rows;
}

/** Writes so many events, two of each product, which all endpoints get. */
async function tell(shop, events) {
  const products = Math.ceil(events / 2);
  for (let version = 1; version <= 2; version += 1) {
    await shop.sql(
      `INSERT INTO events (type, subject, subject_id, version, data)
       SELECT 'product.updated', 'PRODUCT', n, $2::int,
         jsonb_build_object('id', n, 'name', 'Tea ' || n, 'price', '12.50', 'description', repeat('leaf ', 60))
       FROM generate_series(1, $1::int) AS n`,
      [products, version],
    );
  }
  await shop.sql("VACUUM ANALYZE webhook_deliveries");
}

/** Drains a queue, also while a transaction stays open, so that nothing of what has ended can be cleaned up. */
async function drain(shop, count, held) {
  const client = new pg.Client({ connectionString: shop.databaseUrl });
  await client.connect();
  if (held) {
    await client.query("SET idle_in_transaction_session_timeout = 0");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await client.query("SELECT pg_current_xact_id()");
  }
  const started = performance.now();
  const service = await shop.start();
  const isDrained = async () => {
    await setTimeout(100);
    const [{ left }] = await shop.sql(
      "SELECT EXISTS (SELECT FROM webhook_deliveries WHERE state <> 'DELIVERED') AS left",
    );
    return !left;
  };
  await until(isDrained, 600_000, "The end of the queue");
  const seconds = (performance.now() - started) / 1_000;
  const polls = await statementOf(service);
  await service.stop();
  await client.end();
  const beside = held ? " beside a transaction that stays open" : "";
  return [
    `${grouped(count)} due deliveries of ${ENDPOINTS} endpoints, drained${beside} by one process`,
    `${Math.round(count / seconds)} a second, with its start; a poll ${text(polls)}`,
  ];
}

/** The polls of a while. */
async function pollsOf(service) {
  const before = await statementOf(service);
  await setTimeout(WATCHED);
  const after = await statementOf(service);
  return { sum: after.sum - before.sum, count: after.count - before.count };
}

/** The seconds and the number of all polls so far, with the way to the database and back. */
async function statementOf({ metricsUrl }) {
  const answer = await call(metricsUrl, { path: "/metrics" });
  const valueOf = (kind) => {
    const name = `tea_database_statement_duration_seconds_${kind}{statement="claim deliveries"} `;
    const line = answer.text.split("\n").find((each) => each.startsWith(name));
    return line === undefined ? 0 : Number(line.slice(name.length));
  };
  return { sum: valueOf("sum"), count: valueOf("count") };
}

const text = ({ sum, count }) => `${((sum * 1_000) / count).toFixed(2)} ms, mean of ${count}`;

const grouped = (number) => number.toLocaleString("en");
