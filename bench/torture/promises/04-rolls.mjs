import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { call, connection } from "../../support/http.mjs";
import { Clients } from "../../support/load.mjs";
import { newOrder, place } from "../../support/orders.mjs";
import { childrenOf, signal } from "../../support/processes.mjs";
import { duration, none, seen } from "../../support/report.mjs";
import { freePort } from "../../support/service.mjs";
import { tally } from "../../support/statistics.mjs";

const CLIENTS = 16;
const EXIT_WITHIN = 10_000;
const FAULT_ON_SIGNAL = path.join(import.meta.dirname, "../../../test/support/fault-on-signal.cjs");

export const title = "Neither a roll of workers, the fault of one, nor a shutdown cuts a request";

export async function run(stage, { short }) {
  await stage.set();
  const count = short ? 3 : 20;
  return [...(await roll(stage, count, short ? 3 : 8)), ...(await stop(stage, count))];
}

async function roll(stage, count, faults) {
  const settings = { WEB_CONCURRENCY: "2", LOG_LEVEL: "info" };
  const service = await stage.start({ settings, nodeOptions: ["--require", FAULT_ON_SIGNAL] });
  const outcomes = [];
  const acknowledged = [];
  const clients = new Clients(CLIENTS, async (kept, index) => {
    // Half of them open a connection for each request.
    const agent = index % 2 === 0 ? kept : false;
    const answer = await readOrPlace(service.url, stage.products, agent, index);
    outcomes.push(answer.status || answer.error);
    if (answer.status === 201) acknowledged.push(JSON.parse(answer.text).id);
  });
  await setTimeout(500);
  for (let each = 1; each <= count; each += 1) {
    const done = service.says("rolled all workers");
    service.signal("SIGHUP");
    await done;
  }
  for (let each = 1; each <= faults; each += 1) {
    const died = service.says("a worker died");
    const [worker] = await childrenOf(service.pid);
    signal(worker, "SIGUSR2");
    await died; // before that, one that has listened since the roll may say so late
    await service.says('"msg":"listening"');
    await setTimeout(500);
  }
  await clients.stop();
  const { code } = await service.stop();
  const failed = outcomes.filter((each) => each !== 200 && each !== 201);
  return [
    seen(`${count} rolls and ${faults} faults: ${tally(outcomes)}`),
    seen(`failed requests ${failed.length}`, failed.length === 0),
    seen(`exit code ${code}`, code === 0),
    ...(await stage.audit(acknowledged)),
  ];
}

async function stop(stage, count) {
  const cut = [];
  const codes = [];
  let answered = 0;
  let slowest = 0;
  for (let each = 1; each <= count; each += 1) {
    const service = await stage.start({ port: await freePort() });
    const clients = Array.from({ length: CLIENTS }, async (_, index) => {
      const agent = connection();
      for (;;) {
        const answer = await readOrPlace(service.url, stage.products, agent, index);
        if (answer.status === 200 || answer.status === 201) answered += 1;
        else cut.push(answer.status || answer.error);
        // The connection was taken before the end; a new one might well be refused.
        if (answer.headers.connection === "close" || answer.status === 0) break;
      }
      agent.destroy();
    });
    await setTimeout(1000);
    const started = performance.now();
    service.signal("SIGTERM");
    await setTimeout(50);
    service.signal("SIGTERM");
    const { code } = await service.ended;
    slowest = Math.max(slowest, performance.now() - started);
    codes.push(code);
    await Promise.all(clients);
  }
  return [
    seen(`${count} shutdowns: ${answered} requests answered`),
    none("cut", cut),
    none(
      "exit codes other than 0",
      codes.filter((code) => code !== 0),
    ),
    seen(`ended within ${duration(slowest)}`, slowest < EXIT_WITHIN),
  ];
}

const readOrPlace = (url, products, agent, index) =>
  index % 4 < 2 ? place(url, newOrder(products), agent) : call(url, { path: "/products", agent });
