import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { call } from "../../support/http.mjs";
import { audit, OrderClients } from "../../support/orders.mjs";
import { auditFindings, duration, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

const CLIENTS = 8;
const GOOD_WITHIN = 1_000;

export const restartedDatabase = {
  title: "A crashed database costs 503s, and nothing after it is back",
  async run(stage, { short }) {
    const { postgres, databaseUrl, products } = await stage.set();
    const restarts = short ? 3 : 20;
    const service = await stage.start();
    const clients = new OrderClients(service.url, products, CLIENTS);
    const goodAfter = [];
    const untilGood = async () => {
      const started = performance.now();
      for (;;) {
        const { status, error } = await call(service.url, { path: "/products" });
        clients.outcomes.push(status || error);
        if (status === 200) break;
        await setTimeout(10);
      }
      goodAfter.push(performance.now() - started);
    };
    for (let restart = 1; restart <= restarts; restart += 1) {
      await setTimeout(randomInt(200, 600));
      const [{ pid }] = await postgres.sessions(databaseUrl);
      await postgres.sql(databaseUrl, "SELECT pg_terminate_backend($1)", [pid]);
      await setTimeout(randomInt(100, 300));
      if (restart % 5 === 0) await crashOneBackend(postgres, databaseUrl);
      else await postgres.restartImmediately();
      await untilGood();
    }
    await clients.stop();
    const wrong = clients.outcomes.filter((each) => ![200, 201, 503].includes(each));
    const slowest = Math.max(...goodAfter);
    return {
      done: `${restarts} immediate restarts (each fifth: SIGKILL of a backend), ${restarts} terminated backends, ${CLIENTS} clients`,
      findings: [
        seen(tally(clients.outcomes)),
        seen(
          wrong.length === 0 ? "no other answers" : `other answers: ${tally(wrong)}`,
          wrong.length === 0,
        ),
        seen(service.isRunning ? "never exited" : "EXITED", service.isRunning),
        ...auditFindings(await audit(postgres, databaseUrl, clients.acknowledged)),
        seen(`good again within ${duration(slowest)}`, slowest <= GOOD_WITHIN),
      ],
    };
  },
};

async function crashOneBackend(postgres, databaseUrl) {
  const [session] = await postgres.sessions(databaseUrl);
  if (session) await postgres.killBackend(session.pid);
  await setTimeout(20); // the server notices, and ends its other processes
  await postgres.accepting();
}
