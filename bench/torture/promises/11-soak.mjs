import { readdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { call } from "../../support/http.mjs";
import { Clients } from "../../support/load.mjs";
import { newOrder, place } from "../../support/orders.mjs";
import { until } from "../../support/processes.mjs";
import { none, seen } from "../../support/report.mjs";
import { slope, tally } from "../../support/statistics.mjs";

const CLIENTS = 8;
const PAUSE = 20;
const MALFORMED = 0.01;
const SAMPLE_EVERY = 5_000;
/** Megabytes per 10 minutes. In one minute, only a large leak shows. */
const SLOPE_BELOW = { short: 20, full: 1 };
const MEGABYTE = 1024 * 1024;

export const title = "Long use leaves memory, descriptors and transactions as they were";

export async function run(stage, { short, soakMinutes }) {
  const { postgres, databaseUrl, products } = await stage.set();
  const seconds = short ? 60 : soakMinutes * 60;
  // What is compiled and cached at first is no leak.
  const warmUp = Math.min(90, seconds / 3);
  const service = await stage.start({ probe: true });
  const acknowledged = [];
  const statuses = [];
  const wrong = [];
  let resting = Promise.resolve();
  let underWay = 0;
  const clients = new Clients(CLIENTS, async (agent) => {
    await resting;
    underWay += 1;
    const { kind, answer } = await anyRequest(service.url, products, agent);
    underWay -= 1;
    const expected = { read: 200, order: 201, malformed: 400 }[kind];
    statuses.push(answer.status);
    if (answer.status !== expected) wrong.push(`${kind} ${answer.status || answer.error}`);
    if (answer.status === 201) acknowledged.push(JSON.parse(answer.text).id);
    await setTimeout(PAUSE);
  });

  const heap = [];
  const descriptors = [];
  let idleTransactions = 0;
  const started = performance.now();
  for (let now = 0; now < seconds * 1000; now = performance.now() - started) {
    await setTimeout(SAMPLE_EVERY);
    const sessions = await postgres.sessions(databaseUrl);
    idleTransactions += sessions.filter(
      ({ state, seconds: age }) => /^idle in/.test(state) && age > 1,
    ).length;
    if (now < warmUp * 1000) continue;
    // Measured without requests under way: what they hold at the moment is no leak.
    /** @type {(value?: void) => void} */
    let goOn;
    resting = new Promise((resolve) => (goOn = resolve));
    await until(() => underWay === 0, 5_000, "The end of all requests");
    heap.push([now / 600_000, (await service.heapUsed()) / MEGABYTE]);
    goOn();
    descriptors.push((await readdir(`/proc/${service.pid}/fd`)).length);
  }
  await clients.stop();

  const growth = slope(heap);
  const [least, most] = [Math.min(...descriptors), Math.max(...descriptors)];
  return [
    seen(tally(statuses)),
    none("unexpected answers", wrong),
    seen(
      `heap ${heap.at(0)[1].toFixed(1)} MB to ${heap.at(-1)[1].toFixed(1)} MB, slope ${growth.toFixed(2)} MB per 10 min`,
      growth < SLOPE_BELOW[short ? "short" : "full"],
    ),
    seen(`file descriptors ${least} to ${most}`, most - least <= CLIENTS),
    seen(`idle transactions ${idleTransactions}`, idleTransactions === 0),
    ...(await stage.audit(acknowledged)),
  ];
}

async function anyRequest(url, products, agent) {
  const chance = Math.random();
  if (chance < MALFORMED) {
    const json = { customerEmail: "no address", items: [{ productId: -1 }], unknown: true };
    return {
      kind: "malformed",
      answer: await call(url, { method: "POST", path: "/orders", json, agent }),
    };
  }
  if (chance < 0.3) return { kind: "order", answer: await place(url, newOrder(products), agent) };
  const path = ["/products", "/products?page=2&pageSize=50", "/categories"][
    Math.floor(chance * 9) % 3
  ];
  return { kind: "read", answer: await call(url, { path, agent }) };
}
