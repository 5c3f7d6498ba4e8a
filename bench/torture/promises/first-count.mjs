import { setTimeout } from "node:timers/promises";
import { signIn } from "../../support/administrator.mjs";
import { call, connection } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";
import { median } from "../../support/statistics.mjs";
import { until } from "../../support/processes.mjs";

const ORDERS = { short: 300_000, full: 1_500_000 };
const READS = 20;
/** Rounds of reads before the first that counts. */
const WARM_UP = 15;
const SLOWER_AT_MOST = 3;
const COUNTED_WITHIN = 120_000;
const ADMIN = { email: "admin@torture.example", password: "the right password" };

export const firstCount = {
  title: "Counting many orders leaves nothing for readers to step over",
  async run(stage, { short }) {
    const { postgres, databaseUrl } = await stage.set();
    const count = ORDERS[short ? "short" : "full"];
    const { url } = await stage.start({
      settings: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    });
    const headers = await signIn(url, ADMIN);
    const agent = connection();
    const page = () => call(url, { path: "/orders?pageSize=10", headers, agent });
    const pages = async () => {
      const answers = [];
      for (let read = 0; read < READS; read += 1) answers.push(await page());
      return median(answers.map(({ ms }) => ms));
    };
    for (let round = 0; round < WARM_UP; round += 1) await pages();
    const before = await pages();
    // As if no vacuum ran, and the lists had never been counted.
    await postgres.sql(databaseUrl, "ALTER TABLE list_changes SET (autovacuum_enabled = off)");
    await postgres.sql(databaseUrl, "UPDATE kept_tables SET is_counted = false");
    await postgres.sql(
      databaseUrl,
      `INSERT INTO orders (customer_email, total_amount, created_at)
       SELECT 'customer@torture.example', 1, now() - n * interval '1 second'
       FROM generate_series(1, ${count}) AS n`,
    );
    const isCounted = async () => {
      await page();
      const [row] = await postgres.sql(
        databaseUrl,
        "SELECT is_counted FROM kept_tables WHERE table_name = 'orders'",
      );
      return row.is_counted;
    };
    await until(isCounted, COUNTED_WITHIN, "The count of the orders");
    await setTimeout(500); // for the work that follows the count
    const after = await pages();
    const { meta } = JSON.parse((await page()).text);
    agent.destroy();
    return {
      done: `${count} orders loaded beside the service, and counted by it; no vacuum`,
      findings: [
        seen(
          `a page of orders, median: ${duration(before)} before, ${duration(after)} after the count`,
          after <= SLOWER_AT_MOST * before,
        ),
        seen(`orders in the list ${meta.total}`, meta.total >= count),
      ],
    };
  },
};
