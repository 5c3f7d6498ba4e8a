import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { OrderClients } from "../../support/orders.mjs";
import { duration, seen } from "../../support/report.mjs";
import { median } from "../../support/statistics.mjs";

const CLIENTS = 16;
const READY_WITHIN = 2_000;

export const title = "A killed service loses and doubles no acknowledged order";

export async function run(stage, { short }) {
  await stage.set();
  let service = await stage.start();
  const clients = new OrderClients(service.url, stage.products, CLIENTS);
  const startTimes = [];
  for (let kill = 1; kill <= (short ? 5 : 50); kill += 1) {
    await setTimeout(randomInt(100, 500));
    await service.stop("SIGKILL");
    const started = performance.now();
    service = await stage.start();
    startTimes.push(performance.now() - started);
  }
  await clients.stop();
  const slowest = Math.max(...startTimes);
  return [
    seen(`${startTimes.length} kills`),
    seen(`${clients.acknowledged.length} orders acknowledged`, clients.acknowledged.length > 0),
    ...(await stage.audit(clients.acknowledged)),
    seen(
      `ready again in ${duration(median(startTimes))}, at most ${duration(slowest)}`,
      slowest <= READY_WITHIN,
    ),
  ];
}
