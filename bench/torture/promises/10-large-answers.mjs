import { once } from "node:events";
import { connect } from "node:net";
import { Generator } from "../../support/generator.mjs";
import { call } from "../../support/http.mjs";
import { steadily } from "../../support/load.mjs";
import { peakMemory } from "../../support/processes.mjs";
import { duration, seen } from "../../support/report.mjs";
import { countsText, p99, tally } from "../../support/statistics.mjs";

const CLIENTS = 64;
const READS_PER_SECOND = 50;
/** Megabytes. */
const PEAK_AT_MOST = 320;

/** Products of a list, and bytes of a description: the most that there may be. */
const PAGE = 50;
const DESCRIPTION = 20_000;

/** Lists of an operation: as many as are accepted, and as many as fit into an answer. */
const LISTS = { refused: 39, sent: 8 };

export const title = "GraphQL answers of the largest size share a bounded memory";

export async function run(stage, { short }) {
  await stage.set();
  await longDescriptions(stage);
  const [product] = stage.products;
  const service = await stage.start();
  const { url } = service;
  const seconds = short ? 10 : 20;
  const read = (agent) => call(url, { path: `/products/${product}`, agent });
  const peakNow = async () => Math.round(await peakMemory(service.pid));
  const idle = await peakNow();
  // Warm up: the first answers of a process take longer, and its connections are opened.
  await Promise.all([
    steadily(READS_PER_SECOND, 3, read),
    call(url, { path: pathOf(LISTS.refused) }),
  ]);
  const generator = new Generator(stage.cleanup);
  const findings = [seen(`peak of memory ${idle} MB idle`)];
  const tell = async (name, reads, details) => {
    const failed = reads.filter(({ status }) => status !== 200);
    const peak = await peakNow();
    findings.push(
      seen(`${name}: peak of memory ${peak} MB`, peak <= PEAK_AT_MOST),
      details,
      seen(
        `ordinary reads: ${tally(reads.map(({ status, error }) => status || error))}, p99 ${duration(p99(reads.map(({ ms }) => ms)))}`,
        failed.length === 0,
      ),
    );
  };
  for (const lists of Object.values(LISTS)) {
    const requests = [{ method: "GET", path: pathOf(lists) }];
    const [{ count, statuses, errors }, reads] = await Promise.all([
      generator.load({ url, requests, connections: CLIENTS, seconds }),
      steadily(READS_PER_SECOND, seconds, read),
    ]);
    const details = `answers: ${countsText(statuses)}; none ${errors}`;
    await tell(`${lists} lists`, reads, seen(details, count > 0));
  }
  const stalled = await Promise.all(
    Array.from({ length: CLIENTS }, () => stalledClient(url, pathOf(LISTS.sent))),
  );
  const reads = await steadily(READS_PER_SECOND, seconds, read);
  for (const socket of stalled) socket.destroy();
  await tell(`${LISTS.sent} lists that nobody reads`, reads, seen(`clients: ${stalled.length}`));
  return findings;
}

const document = (lists) =>
  `{ ${Array.from({ length: lists }, (_, index) => `a${index}: products(pageSize: ${PAGE}) { data { description } }`).join(" ")} }`;

const pathOf = (lists) => `/graphql?query=${encodeURIComponent(document(lists))}`;

/** Adds products whose descriptions are as long as they may be. */
async function longDescriptions(stage) {
  await stage.sql(
    `INSERT INTO products (name, slug, description, price, category_id)
     SELECT 'Long tea ' || n, 'long-tea-' || n, repeat('🍵', ${DESCRIPTION / 4}), 1,
            (SELECT min(id) FROM categories)
     FROM generate_series(1, ${PAGE}) AS n`,
  );
  await stage.sql("VACUUM ANALYZE products");
}

/** Starts a client that asks for a path and then reads nothing. Returns its socket. */
async function stalledClient(url, path) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: torture.example\r\n\r\n`);
  socket.pause();
  return socket;
}
