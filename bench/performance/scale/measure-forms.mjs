import { call } from "../../support/http.mjs";
import { addCounts, p99 } from "../../support/statistics.mjs";
import { forms } from "./forms.mjs";

const COLD_READS = 10;

/** The longest p99 in milliseconds: without a total, with a total, and with a total again. */
const MOST = { plain: 50, cold: 400, repeated: 20 };
const MOST_OF_HARD = { plain: 1000, cold: 1000, repeated: 1000 };

const post = (url, { body, path, ...request }, extensions) =>
  call(url, { ...request, path, json: { ...JSON.parse(body), extensions } });

/** The total of a form, and its cost as the service computes it. */
async function describe(form, { url }) {
  const { text } = await post(url, form.requests(true)[0], { cost: true });
  const { data, extensions } = JSON.parse(text);
  return { total: data?.products?.meta.total, cost: extensions?.cost?.cost };
}

/** Reads one page after another with its total, each after a change of the catalogue. */
async function readCold(url, requests, change) {
  const answers = [];
  for (const request of requests.slice(0, COLD_READS)) {
    await change();
    answers.push(await post(url, request));
  }
  return answers;
}

async function measureForm(form, { alone, service, generator, change, seconds, clients }) {
  const statuses = {};
  const load = async (contender, counted) => {
    const requests = form.requests(counted);
    const job = { url: contender.url, requests, connections: clients };
    await generator.load({ ...job, seconds: seconds / 2 });
    const result = await generator.load({ ...job, seconds });
    addCounts(statuses, result.statuses);
    return result.p99;
  };
  const plain = await load(alone, false);
  const answers = await readCold(service.url, form.requests(true), change);
  for (const { status } of answers) addCounts(statuses, { [status || "failed"]: 1 });
  // Fills the cache. On a slow machine, the load might not do that: when it ends, it gives up requests under way.
  for (const each of form.requests(true)) await post(service.url, each);
  const repeated = await load(service, true);
  return {
    title: form.title,
    ...(await describe(form, service)),
    times: { plain, cold: p99(answers.map(({ ms }) => ms)), repeated },
    statuses,
  };
}

/**
 * Reads each form of list with `clients` connections: without its total and without caches; with its total just after
 * the catalogue changed, when no answer is kept; and with its total again.
 */
export async function measureForms(options) {
  const { postgres, data, tell } = options;
  const change = () =>
    postgres.sql(data.databaseUrl, "UPDATE products SET price = price WHERE id = $1", [
      data.products[0],
    ]);
  const rows = [];
  for (const form of forms(data)) {
    const row = await measureForm(form, { ...options, change });
    const most = form.isHard ? MOST_OF_HARD : MOST;
    const isFast = Object.entries(most).every(([name, limit]) => row.times[name] <= limit);
    const isAnswered = Object.keys(row.statuses).join() === "200";
    rows.push({ ...row, most, isReached: isFast && isAnswered });
    const times = Object.values(row.times).map((time) => time.toFixed(1));
    tell(`${row.title}: ${times.join(", ")} ms; ${JSON.stringify(row.statuses)}`);
  }
  return rows;
}
