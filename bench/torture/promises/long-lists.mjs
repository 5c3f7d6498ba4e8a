import { once } from "node:events";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import { Worker } from "node:worker_threads";
import { call } from "../../support/http.mjs";
import { steadily } from "../../support/load.mjs";
import { duration, seen } from "../../support/report.mjs";
import { stalledClient } from "../../support/stalled-client.mjs";
import { p99 } from "../../support/statistics.mjs";

const READER = path.join(import.meta.dirname, "../../support/list-readers.mjs");

const PRODUCTS = 50_000;
const READERS = 8;
const STALLED = 50;
const READS_PER_SECOND = 50;
const SLOWER_AT_MOST = 3;
/** Seconds that a transaction may pause between two parts of a list. */
const PAUSE_AT_MOST = 1;

export const longLists = {
  title:
    "A category of 50,000 products costs others little, and holds no connection while it is sent",
  async run(stage, { short }) {
    const { postgres, databaseUrl } = await stage.set();
    const seconds = short ? 3 : 20;
    const list = `/products/category/${await largeCategory(postgres, databaseUrl)}`;
    const [product] = stage.products;
    const { url } = await stage.start();
    const read = (agent) => call(url, { path: `/products/${product}`, agent });
    await steadily(READS_PER_SECOND, 3, read); // warm up
    const [whole] = await Promise.all(
      Array.from({ length: READERS }, () => call(url, { path: list })),
    );
    const bytes = Buffer.byteLength(whole.text);
    const baseline = await steadily(READS_PER_SECOND, seconds, read);

    // Again and again, so that lists are under way all the time.
    const readers = new Worker(READER, { workerData: { url: url + list, clients: READERS } });
    const during = await steadily(READS_PER_SECOND, seconds, read);
    readers.postMessage("stop");
    const [lists] = await once(readers, "message");

    const stalled = await Promise.all(
      Array.from({ length: STALLED }, () => stalledClient(url, list)),
    );
    const busy = [];
    for (let second = 0; second < (short ? 2 : 5); second += 1) {
      await setTimeout(1000);
      const sessions = await postgres.sessions(databaseUrl);
      const isHeld = ({ state, unchanged }) =>
        state.startsWith("idle in transaction") && unchanged > PAUSE_AT_MOST;
      busy.push(sessions.filter(isHeld).length);
    }
    const meanwhile = await steadily(READS_PER_SECOND, short ? 2 : 5, read);
    for (const socket of stalled) socket.destroy();

    const [before, with8, with50] = [baseline, during, meanwhile].map((answers) =>
      p99(answers.map(({ ms }) => ms)),
    );
    const failed = [...during, ...meanwhile].filter(({ status }) => status !== 200);
    const partial = lists.filter((each) => each.bytes !== bytes || each.last !== "]");
    return {
      done:
        `${READERS} clients read a category of ${PRODUCTS} products for ${seconds} s, then ${STALLED} ` +
        `stop reading it; ${READS_PER_SECOND} reads of one product a second`,
      findings: [
        seen(
          `${lists.length} lists, slowest ${duration(Math.max(...lists.map(({ ms }) => ms)))}; ` +
            `not whole ${partial.length}`,
          partial.length === 0 && JSON.parse(whole.text).length === PRODUCTS,
        ),
        seen(`failed reads of others ${failed.length}`, failed.length === 0),
        seen(
          `their p99 ${duration(before)} before, ${duration(with8)} with ${READERS} readers`,
          with8 <= SLOWER_AT_MOST * before,
        ),
        seen(`${duration(with50)} with ${STALLED} that stopped reading`),
        seen(
          `connections in a transaction that none uses ${Math.max(...busy)}`,
          Math.max(...busy) === 0,
        ),
      ],
    };
  },
};

/** Inserts a category with many products. Returns its id. */
async function largeCategory(postgres, databaseUrl) {
  const [{ id }] = await postgres.sql(
    databaseUrl,
    "INSERT INTO categories (name, slug) VALUES ('Everything', 'everything') RETURNING id",
  );
  await postgres.sql(
    databaseUrl,
    `INSERT INTO products (name, slug, description, price, is_active, category_id, created_at)
     SELECT 'Tea number ' || n, 'everything-' || n, 'Whole leaves, picked by hand in spring.',
            (n % 10000) / 100.0, true, $1, now() - n * interval '1 second'
     FROM generate_series(1, ${PRODUCTS}) AS n`,
    [id],
  );
  await postgres.sql(databaseUrl, "VACUUM ANALYZE products");
  return id;
}
