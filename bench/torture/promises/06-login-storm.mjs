import { setTimeout } from "node:timers/promises";
import { Generator } from "../../support/generator.mjs";
import { call, retryAfter } from "../../support/http.mjs";
import { Clients, steadily } from "../../support/load.mjs";
import { until } from "../../support/processes.mjs";
import { duration, seen } from "../../support/report.mjs";
import { addCounts, countsText, p99, tally } from "../../support/statistics.mjs";

const CLIENTS = 200;
/** Logins whose password is compared, or that wait for it. All others are answered at once. */
const QUEUE = 21;
const READS_PER_SECOND = 50;
const REFUSED_WITHIN = 100;
/** Clients that read the catalogue without a pause, and clients of one address that log in without one. */
const READERS = 32;
const IMPATIENT = 16;
const LEAST_SHARE = 0.85;

export const title = "A storm of logins holds up nothing else";

const credentials = (index) => ({
  email: `nobody-${index}@torture.example`,
  password: "no password",
});

export async function run(stage, { short }) {
  const seconds = short ? 10 : 60;
  await stage.set();
  // Each client is a source of its own: one source alone would not fill the queue.
  const { url } = await stage.start({ settings: { TRUST_PROXY: "1" } });
  const read = (agent) => call(url, { path: "/products", agent });
  const login = (index, agent) => {
    const headers = { "x-forwarded-for": `198.51.100.${index}` };
    const json = credentials(index);
    return call(url, { method: "POST", path: "/auth/login", headers, json, agent });
  };
  // Warm up: what is compiled at first would count against the storm.
  await steadily(READS_PER_SECOND, 5, (agent) => login(0, agent).then(() => read(agent)));
  const baseline = await steadily(READS_PER_SECOND, seconds / 2, read);

  const logins = [];
  const answered = new Set();
  const clients = new Clients(CLIENTS, async (agent, index) => {
    if (!answered.has(index)) await setTimeout(Math.random() * 1000);
    const answer = await login(index, agent);
    logins.push(answer);
    answered.add(index);
    // Not all in one moment: that would be one burst of many requests each second.
    await setTimeout(retryAfter(answer) * (1 + Math.random()));
  });
  await until(() => answered.size >= CLIENTS - QUEUE, 10_000, "The storm of logins");
  const during = await steadily(READS_PER_SECOND, seconds, read);
  await clients.stop();
  const impatience = await measureImpatience(url, stage.cleanup, seconds / 4);

  const before = p99(baseline.map(({ ms }) => ms));
  const storm = p99(during.map(({ ms }) => ms));
  const failed = during.filter(({ status }) => status !== 200);
  const refused = logins.filter(({ status }) => status === 503).map(({ ms }) => ms);
  return [
    seen(
      `logins: ${tally(logins.map(({ status, error }) => status || error))}`,
      logins.every(({ status }) => status === 400 || status === 503),
    ),
    seen(
      `catalogue p99 ${duration(before)} before, ${duration(storm)} during`,
      storm <= 2 * before,
    ),
    seen(`failed reads ${failed.length}`, failed.length === 0),
    seen(
      `refusals p99 ${duration(p99(refused))}, slowest ${duration(Math.max(...refused))}`,
      p99(refused) < REFUSED_WITHIN,
    ),
    impatience,
  ];
}

/** The rate of the catalogue, by itself and beside logins that ignore Retry-After, in turns. */
async function measureImpatience(url, cleanup, seconds) {
  const [catalogue, storm] = [new Generator(cleanup), new Generator(cleanup)];
  const requests = [{ method: "GET", path: "/products" }];
  const logins = Array.from({ length: CLIENTS }, (_, index) => ({
    method: "POST",
    path: "/auth/login",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials(index)),
  }));
  const rates = { alone: 0, beside: 0 };
  const statuses = {};
  for (const name of ["alone", "beside", "beside", "alone"]) {
    const [reads, refused] = await Promise.all([
      catalogue.load({ url, requests, connections: READERS, seconds }),
      name === "beside" && storm.load({ url, requests: logins, connections: IMPATIENT, seconds }),
    ]);
    rates[name] += reads.perSecond / 2;
    if (refused) addCounts(statuses, refused.statuses);
  }
  const { alone, beside } = rates;
  return seen(
    `${IMPATIENT} clients that ignore Retry-After: catalogue ${Math.round(beside)} a second, ` +
      `${Math.round((100 * beside) / alone)} % of ${Math.round(alone)} without them; logins: ${countsText(statuses)}`,
    beside >= LEAST_SHARE * alone,
  );
}
