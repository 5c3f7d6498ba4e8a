import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { call } from "../../support/http.mjs";
import { OrderClients } from "../../support/orders.mjs";
import { duration, none, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

const CLIENTS = 8;
const GOOD_WITHIN = 1_000;

export const title = "A crashed database costs 503s, and nothing after it is back";

export async function run(stage, { short }) {
  const { postgres, databaseUrl, products } = await stage.set();
  const restarts = short ? 3 : 20;
  const service = await stage.start();
  const clients = new OrderClients(service.url, products, CLIENTS);
  const goodAfter = [];
  for (let restart = 1; restart <= restarts; restart += 1) {
    await setTimeout(randomInt(200, 600));
    const [{ pid }] = await postgres.sessions(databaseUrl);
    await stage.sql("SELECT pg_terminate_backend($1)", [pid]);
    await setTimeout(randomInt(100, 300));
    if (restart % 5 === 0) await crashOneBackend(postgres, databaseUrl);
    else await postgres.restartImmediately();
    const started = performance.now();
    await clients.repeat(200, () => call(service.url, { path: "/products" }), 10);
    goodAfter.push(performance.now() - started);
  }
  await clients.stop();
  const slowest = Math.max(...goodAfter);
  return [
    seen(`${restarts} crashes: ${tally(clients.outcomes)}`),
    none(
      "other answers",
      clients.outcomes.filter((each) => ![200, 201, 503].includes(each)),
    ),
    seen(service.isRunning ? "never exited" : "EXITED", service.isRunning),
    ...(await stage.audit(clients.acknowledged)),
    seen(`good again within ${duration(slowest)}`, slowest <= GOOD_WITHIN),
  ];
}

async function crashOneBackend(postgres, databaseUrl) {
  const [session] = await postgres.sessions(databaseUrl);
  if (session) await postgres.killBackend(session.pid);
  await setTimeout(20); // the server notices, and ends its other processes
  await postgres.accepting();
}
