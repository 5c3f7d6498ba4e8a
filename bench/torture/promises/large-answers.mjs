import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { call } from "../../support/http.mjs";
import { steadily } from "../../support/load.mjs";
import { peakMemory } from "../../support/memory.mjs";
import { duration, seen } from "../../support/report.mjs";
import { stalledClient } from "../../support/stalled-client.mjs";
import { p99, tally } from "../../support/statistics.mjs";

const READER = path.join(import.meta.dirname, "../../support/list-readers.mjs");

const CLIENTS = 64;
const READS_PER_SECOND = 50;
/** Megabytes. */
const PEAK_AT_MOST = 320;

/** Products of a list, and bytes of a description: the most that there may be. */
const PAGE = 50;
const DESCRIPTION = 20_000;

/** Lists of an operation: as many as are accepted, and as many as fit into an answer. */
const LISTS = { refused: 39, sent: 8 };

export const largeAnswers = {
  title: "GraphQL answers of the largest size share a bounded memory",
  async run(stage, { short }) {
    const { postgres, databaseUrl } = await stage.set();
    await longDescriptions(postgres, databaseUrl);
    const [product] = stage.products;
    const service = await stage.start();
    const { url } = service;
    const seconds = short ? 5 : 20;
    const read = (agent) => call(url, { path: `/products/${product}`, agent });
    const peakNow = async () => Math.round(await peakMemory(service.pid));
    const idle = await peakNow();
    // Warm up: the first answers of a process take longer, and its connections are opened.
    await Promise.all([
      steadily(READS_PER_SECOND, 3, read),
      call(url, { path: pathOf(LISTS.refused) }),
    ]);
    const findings = [seen(`peak of memory ${idle} MB idle`)];
    const tell = async (name, reads, details) => {
      const failed = reads.filter(({ status }) => status !== 200);
      const peak = await peakNow();
      findings.push(
        seen(`${name}: peak of memory ${peak} MB`, peak <= PEAK_AT_MOST),
        seen(details),
        seen(
          `ordinary reads: ${tally(reads.map(({ status, error }) => status || error))}, p99 ${duration(p99(reads.map(({ ms }) => ms)))}`,
          failed.length === 0,
        ),
      );
    };
    for (const lists of Object.values(LISTS)) {
      const clients = new Worker(READER, {
        workerData: { url: url + pathOf(lists), clients: CLIENTS },
      });
      const reads = await steadily(READS_PER_SECOND, seconds, read);
      clients.postMessage("stop");
      const [answers] = await once(clients, "message");
      const ends = answers.map(({ error, first }) => error ?? codeIn(first) ?? "whole");
      await tell(`${lists} lists`, reads, `answers: ${tally(ends)}`);
    }
    const stalled = await Promise.all(
      Array.from({ length: CLIENTS }, () => stalledClient(url, pathOf(LISTS.sent))),
    );
    const reads = await steadily(READS_PER_SECOND, seconds, read);
    for (const socket of stalled) socket.destroy();
    await tell(`${LISTS.sent} lists that nobody reads`, reads, `clients: ${stalled.length}`);
    return {
      done: `${CLIENTS} clients that ask for ${LISTS.refused} lists of ${PAGE} products with descriptions of ${DESCRIPTION} bytes, for ${LISTS.sent} of them, and for ${LISTS.sent} without reading the answer, for ${seconds} s each; ${READS_PER_SECOND} reads of one product a second`,
      findings,
    };
  },
};

const document = (lists) =>
  `{ ${Array.from({ length: lists }, (_, index) => `a${index}: products(pageSize: ${PAGE}) { data { description } }`).join(" ")} }`;

const pathOf = (lists) => `/graphql?query=${encodeURIComponent(document(lists))}`;

const codeIn = (text) => /"code":"(\w+)"/.exec(text)?.[1];

/** Adds products whose descriptions are as long as they may be. */
async function longDescriptions(postgres, databaseUrl) {
  await postgres.sql(
    databaseUrl,
    `INSERT INTO products (name, slug, description, price, category_id)
     SELECT 'Long tea ' || n, 'long-tea-' || n, repeat('🍵', ${DESCRIPTION / 4}), 1,
            (SELECT min(id) FROM categories)
     FROM generate_series(1, ${PAGE}) AS n`,
  );
  await postgres.sql(databaseUrl, "VACUUM ANALYZE products");
}
