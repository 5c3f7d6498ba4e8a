import { ADMIN_SETTINGS, signIn } from "../../support/administrator.mjs";
import { seen } from "../../support/report.mjs";
import { Client, faultFindings } from "../rounds/client.mjs";
import { stock } from "../rounds/subjects.mjs";

/** Rounds without a cache, to know how often a read scans the catalogue. */
const UNCACHED_ROUNDS = 168;

export const title = "A read of the catalogue shows what was changed before it, whoever changed it";

export async function run(stage, { short }) {
  await stage.set();
  const uncached = await alternate(stage, UNCACHED_ROUNDS, { CATALOGUE_CACHE: "off" });
  const cached = await alternate(stage, short ? 336 : 10_080, {});
  return [
    ...faultFindings([cached.client]),
    seen(
      `scans of the catalogue a round ${cached.scans.toFixed(1)}, without a cache ${uncached.scans.toFixed(1)}`,
      cached.scans <= uncached.scans / 2,
    ),
  ];
}

/** Changes and reads in tight alternation, at two processes with these settings and by SQL. */
async function alternate(stage, rounds, settings) {
  const [own] = await stock(stage, 1);
  const services = await stage.startTwo({ settings: { ...ADMIN_SETTINGS, ...settings } });
  const urls = services.map(({ url }) => url);
  const headers = await signIn(urls[0]);
  const client = new Client(own, { urls, headers, maxLag: 0, sql: stage.sql.bind(stage) });
  const before = await scansOf(stage);
  for (let round = 0; round < rounds; round += 1) await client.alternation(round);
  client.close();
  // Sessions report what they scanned when they end.
  await Promise.all(services.map((service) => service.stop()));
  return { client, scans: ((await scansOf(stage)) - before) / rounds };
}

async function scansOf(stage) {
  const [{ scans }] = await stage.sql(
    `SELECT sum(seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables
     WHERE relname IN ('products', 'categories')`,
  );
  return scans;
}
