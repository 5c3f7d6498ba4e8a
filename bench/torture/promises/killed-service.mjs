import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { audit, OrderClients } from "../../support/orders.mjs";
import { auditFindings, duration, seen } from "../../support/report.mjs";
import { quantile } from "../../support/statistics.mjs";

const CLIENTS = 16;
const READY_WITHIN = 2_000;

export const killedService = {
  title: "A killed service loses and doubles no acknowledged order",
  async run(stage, { short }) {
    const kills = short ? 5 : 50;
    await stage.set();
    let service = await stage.start();
    const clients = new OrderClients(service.url, stage.products, CLIENTS);
    const startTimes = [];
    for (let kill = 1; kill <= kills; kill += 1) {
      await setTimeout(randomInt(100, 500));
      await service.stop("SIGKILL");
      const started = performance.now();
      service = await stage.start();
      startTimes.push(performance.now() - started);
    }
    await clients.stop();
    const slowest = Math.max(...startTimes);
    return {
      done: `SIGKILL ${kills} times, ${CLIENTS} clients repeat orders with their keys`,
      findings: [
        seen(`${clients.acknowledged.length} orders acknowledged`, clients.acknowledged.length > 0),
        ...auditFindings(await audit(stage.postgres, stage.databaseUrl, clients.acknowledged)),
        seen(
          `ready again in ${duration(quantile(startTimes, 0.5))}, at most ${duration(slowest)}`,
          slowest <= READY_WITHIN,
        ),
      ],
    };
  },
};
