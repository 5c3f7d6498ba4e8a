// Measures what webhooks cost: polls and the drain of a long queue, and orders beside an endpoint:
// npm run bench:webhooks [-- --short]
import { parseArgs } from "node:util";
import { Cleanup } from "../support/cleanup.mjs";
import { Postgres } from "../support/postgres.mjs";
import { measureOrders } from "./orders.mjs";
import { measureQueue } from "./queue.mjs";

const { values } = parseArgs({ options: { short: { type: "boolean", default: false } } });

const cleanup = new Cleanup();
cleanup.runAtSignals();
try {
  const postgres = await Postgres.start(cleanup);
  await measureQueue({ postgres, cleanup, ...values });
  await measureOrders({ postgres, cleanup, ...values });
} finally {
  await cleanup.run();
}
process.exit();
