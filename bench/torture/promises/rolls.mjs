import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { call, connection } from "../../support/http.mjs";
import { audit, newOrder, place } from "../../support/orders.mjs";
import { childrenOf, signal } from "../../support/processes.mjs";
import { auditFindings, duration, seen } from "../../support/report.mjs";
import { freePort } from "../../support/service.mjs";
import { tally } from "../../support/statistics.mjs";

const CLIENTS = 16;
const EXIT_WITHIN = 10_000;
const FAULT_ON_SIGNAL = path.join(import.meta.dirname, "../../../test/support/fault-on-signal.cjs");

export const rolls = {
  title: "Neither a roll of workers, the fault of one, nor a shutdown cuts a request",
  async run(stage, { short }) {
    await stage.set();
    const count = short ? 3 : 20;
    const faults = short ? 3 : 8;
    const rolled = await roll(stage, count, faults);
    const stopped = await stop(stage, count);
    return {
      done: `${count} rolls (SIGHUP) of 2 workers, ${faults} unhandled rejections in one of them, then ${count} shutdowns (SIGTERM twice) of a single process, ${CLIENTS} clients`,
      findings: [...rolled, ...stopped],
    };
  },
};

async function roll(stage, count, faults) {
  const settings = { WEB_CONCURRENCY: "2", LOG_LEVEL: "info" };
  const service = await stage.start({ settings, nodeOptions: ["--require", FAULT_ON_SIGNAL] });
  let stopping = false;
  const outcomes = [];
  const acknowledged = [];
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    // Half of them open a connection for each request.
    const agent = index % 2 === 0 ? connection() : false;
    while (!stopping) {
      const answer = await readOrPlace(service.url, stage.products, agent, index);
      outcomes.push(answer.status || answer.error);
      if (answer.status === 201) acknowledged.push(JSON.parse(answer.text).id);
    }
    if (agent) agent.destroy();
  });
  await setTimeout(500);
  for (let each = 1; each <= count; each += 1) {
    const done = service.says("rolled all workers");
    service.signal("SIGHUP");
    await done;
  }
  for (let each = 1; each <= faults; each += 1) {
    const replaced = service.says('"msg":"listening"');
    const [worker] = await childrenOf(service.pid);
    signal(worker, "SIGUSR2");
    await replaced;
    await setTimeout(500);
  }
  stopping = true;
  await Promise.all(clients);
  const { code } = await service.stop();
  const failed = outcomes.filter((each) => each !== 200 && each !== 201);
  return [
    seen(`rolls and faults: ${tally(outcomes)}`),
    seen(`failed requests ${failed.length}`, failed.length === 0),
    seen(`exit code ${code}`, code === 0),
    ...auditFindings(await audit(stage.postgres, stage.databaseUrl, acknowledged)),
  ];
}

async function stop(stage, count) {
  const cut = [];
  const codes = [];
  let answered = 0;
  let slowest = 0;
  for (let each = 1; each <= count; each += 1) {
    stage.port = await freePort();
    const service = await stage.start();
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
    seen(`shutdowns: ${answered} requests answered`),
    seen(cut.length === 0 ? "cut 0" : `cut: ${tally(cut)}`, cut.length === 0),
    seen(
      `exit codes ${tally(codes)}`,
      codes.every((code) => code === 0),
    ),
    seen(`ended within ${duration(slowest)}`, slowest < EXIT_WITHIN),
  ];
}

const readOrPlace = (url, products, agent, index) =>
  index % 4 < 2 ? place(url, newOrder(products), agent) : call(url, { path: "/products", agent });
