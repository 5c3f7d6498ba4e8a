import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { call } from "../support/http.mjs";
import { until } from "../support/processes.mjs";
import { Shop, startReceiver } from "./shop.mjs";

const ENDPOINTS = 100;

/** Milliseconds for which polls are watched. */
const WATCHED = 20_000;

/** Polls while many deliveries wait, and the drain of a queue. */
export async function measureQueue({ postgres, cleanup, short }) {
  const [waiting, drained] = short ? [50_000, 5_000] : [1_000_000, 50_000];
  const receiver = await startReceiver(cleanup);
  const shop = await new Shop(postgres, cleanup).set();
  await shop.createEndpoints(receiver.url, ENDPOINTS);
  await tell(shop, waiting / ENDPOINTS);
  const makeDue = async (at) => {
    await shop.sql(`UPDATE webhook_deliveries SET next_attempt_at = ${at}`);
    await shop.sql("VACUUM ANALYZE webhook_deliveries");
  };
  await makeDue("now() + interval '1 day'");
  const service = await shop.start();
  console.log(`Polls with ${waiting} deliveries that wait: ${text(await pollsOf(service))}`);
  await makeDue("now()");
  await setTimeout(2_000);
  const before = receiver.count;
  const busy = await pollsOf(service);
  const rate = Math.round(((receiver.count - before) * 1_000) / WATCHED);
  console.log(`Polls with as many that are due, ${rate} sent a second: ${text(busy)}`);
  await service.stop();
  for (const isHeld of [false, true]) {
    await shop.sql("TRUNCATE webhook_deliveries, events");
    await tell(shop, drained / ENDPOINTS);
    await drain(shop, drained, isHeld);
  }
}

/** Writes so many events, two of each product, which all endpoints get. */
async function tell(shop, events) {
  for (let version = 1; version <= 2; version += 1) {
    await shop.sql(
      `INSERT INTO events (type, subject, subject_id, version, data)
       SELECT 'product.updated', 'PRODUCT', n, $2::int,
         jsonb_build_object('id', n, 'name', 'Tea ' || n, 'price', '12.50', 'description', repeat('leaf ', 60))
       FROM generate_series(1, $1::int) AS n`,
      [Math.ceil(events / 2), version],
    );
  }
  await shop.sql("VACUUM ANALYZE webhook_deliveries");
}

/** Drains a queue, also while a transaction stays open, so that nothing of what has ended can be cleaned up. */
async function drain(shop, count, isHeld) {
  const client = new pg.Client({ connectionString: shop.databaseUrl });
  await client.connect();
  if (isHeld) {
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
  const rate = (count * 1_000) / (performance.now() - started);
  const polls = text(await statementOf(service));
  await service.stop();
  await client.end();
  console.log(
    `${count} due deliveries of ${ENDPOINTS} endpoints, drained by one process` +
      `${isHeld ? " beside an open transaction" : ""}: ${rate.toFixed(0)} a second; polls ${polls}`,
  );
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
