import { setTimeout } from "node:timers/promises";
import { seedDemo } from "../../support/built.mjs";
import { call, connection } from "../../support/http.mjs";
import { inTurn, steadily } from "../../support/load.mjs";
import { duration, seen } from "../../support/report.mjs";
import { median, p99, tally } from "../../support/statistics.mjs";

const PRODUCTS = { short: 30_000, full: 100_000 };
const CLIENTS = 4;
const READS_PER_SECOND = 50;
const SLOWER_AT_MOST = 4;

/** A word that no product has and that is too short for the index: every product is looked at twice. */
const search = (index) =>
  `a${index}: products(page: ${index + 1}, pageSize: 1, filter: { search: "zq" }) { data { id } meta { total } }`;
const total = (index) => `a${index}: products(page: ${index + 1}, pageSize: 1) { meta { total } }`;
const sort = (index) =>
  `a${index}: products(page: ${index + 1}, pageSize: 1, filter: { minPrice: "${index}" }, sort: { field: NAME }) { data { id } meta { total } }`;

export const searchInBulk = {
  title: "Costly reads in bulk leave the rest of the shop as it was",
  async run(stage, { short }) {
    const { databaseUrl } = await stage.set();
    const size = PRODUCTS[short ? "short" : "full"];
    await seedDemo(databaseUrl, { products: size });
    const { url } = await stage.start();
    const seconds = short ? 4 : 15;
    const read = (agent) => call(url, { path: "/products/1", agent });
    await steadily(READS_PER_SECOND, 2, read); // warm up
    const baseline = await steadily(READS_PER_SECOND, seconds, read);
    const before = p99(baseline.map(({ ms }) => ms));

    const findings = [
      seen(
        `baseline: median ${duration(median(baseline.map(({ ms }) => ms)))}, p99 ${duration(before)}`,
      ),
    ];
    for (const [name, field] of Object.entries({ searches: search, totals: total, sorts: sort })) {
      const { count, query } = await largestAccepted(url, field);
      const send = (agent) =>
        call(url, { method: "POST", path: "/graphql", json: { query }, agent });
      const costly = inTurn(CLIENTS, seconds + 1, send);
      await setTimeout(1000); // until all of them are under way
      const during = await steadily(READS_PER_SECOND, seconds, read);
      const answers = await costly;
      const times = during.map(({ ms }) => ms);
      const failed = during.filter(({ status }) => status !== 200);
      const worst = p99(times);
      findings.push(
        seen(
          `${count} ${name} a document: reads failed ${failed.length} of ${during.length}` +
            (failed.length > 0
              ? `: ${tally(failed.map(({ status, error }) => status || error))}`
              : ""),
          failed.length === 0,
        ),
        seen(
          `median ${duration(median(times))}, p99 ${duration(worst)}, ${(worst / before).toFixed(1)} times the baseline`,
          worst <= SLOWER_AT_MOST * before,
        ),
        seen(
          `documents: ${answers.length}, ${tally(answers.map(({ text }) => /"code":"(\w+)"/.exec(text)?.[1] ?? "answered"))}, median ${duration(median(answers.map(({ ms }) => ms)))}`,
        ),
      );
    }
    return {
      done: `${size} products; ${CLIENTS} clients that each send one document after another, of as many costly reads with totals as are accepted; meanwhile ${READS_PER_SECOND} reads of a product by its id a second, for ${seconds} s each`,
      findings,
    };
  },
};

/** The document with the most such fields that is not refused before it runs. */
async function largestAccepted(url, field) {
  const agent = connection();
  for (let count = 50; ; count -= 1) {
    const query = `{ ${Array.from({ length: count }, (_, index) => field(index)).join(" ")} }`;
    const { text } = await call(url, { method: "POST", path: "/graphql", json: { query }, agent });
    if (text.includes('"data"')) {
      agent.destroy();
      return { count, query };
    }
  }
}
