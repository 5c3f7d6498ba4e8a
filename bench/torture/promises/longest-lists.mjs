import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { call } from "../../support/http.mjs";
import { steadily } from "../../support/load.mjs";
import { peakMemory, resetPeakMemory } from "../../support/memory.mjs";
import { duration, seen } from "../../support/report.mjs";
import { median, p99 } from "../../support/statistics.mjs";

const ID_READER = path.join(import.meta.dirname, "../../support/id-reader.mjs");
const LIST_READERS = path.join(import.meta.dirname, "../../support/list-readers.mjs");

const PRODUCTS = { short: 100_000, full: 500_000 };
const CATEGORIES = 50_000;
const READERS = 8;
const READS_PER_SECOND = 50;
const SLOWER_AT_MOST = 3;
/** MB more than before: two lists of 16 MiB, what is written of them, and garbage. */
const MEMORY_AT_MOST = 195;

export const longestLists = {
  title: "A category of 500,000 products can be read, with little memory and beside other reads",
  async run(stage, { short }) {
    const { postgres, databaseUrl } = await stage.set();
    const count = PRODUCTS[short ? "short" : "full"];
    const seconds = short ? 3 : 15;
    const [product] = stage.products;
    const service = await stage.start();
    const { url, pid } = service;
    const read = (agent) => call(url, { path: `/products/${product}`, agent });

    const categories = [];
    for (let number = 1; number <= 2; number += 1) {
      categories.push(await largeCategory(postgres, databaseUrl, number, count));
    }
    await postgres.sql(databaseUrl, "VACUUM ANALYZE products");
    await steadily(READS_PER_SECOND, 3, read); // warm up
    const alone = times(await steadily(READS_PER_SECOND, seconds, read));

    // Two lists at once: as many as are read at a time.
    const idle = await peakMemory(pid);
    await resetPeakMemory(pid);
    let reading = true;
    const lists = Promise.all(
      categories.map(async ({ id, ids }) => {
        const workerData = { url: `${url}/products/category/${id}`, ids };
        const [list] = await once(new Worker(ID_READER, { workerData }), "message");
        return list;
      }),
    ).finally(() => (reading = false));
    const during = [];
    while (reading) during.push(...times(await steadily(READS_PER_SECOND, 1, read)));
    const read2 = await lists;
    const peak = await peakMemory(pid);
    const [first] = read2;
    const known = await call(url, {
      path: `/products/category/${categories[0].id}`,
      headers: { "if-none-match": first.headers?.etag ?? "" },
    });

    await manyCategories(postgres, databaseUrl);
    const workerData = { url: `${url}/categories`, clients: READERS };
    const before = times(await steadily(READS_PER_SECOND, seconds, read));
    const readers = new Worker(LIST_READERS, { workerData });
    const beside = times(await steadily(READS_PER_SECOND, seconds, read));
    readers.postMessage("stop");
    const [all] = await once(readers, "message");
    const broken = all.filter(({ status, last }) => status !== 200 || last !== "]");

    return {
      done:
        `2 categories of ${count} products, read at once; then ${READERS} clients read ` +
        `${CATEGORIES} categories for ${seconds} s; ${READS_PER_SECOND} reads of one product a second`,
      findings: [
        seen(
          `lists: ${read2.map(({ status, found, bytes, ms }) => `${status}, ${found} products, ${Math.round(bytes / 1e6)} MB in ${duration(ms)}`).join("; ")}`,
          read2.every(({ status, isWhole }) => status === 200 && isWhole),
        ),
        seen(`with their tag ${known.status} in ${duration(known.ms)}`, known.status === 304),
        seen(
          `most memory of the process ${Math.round(idle)} MB before, ${Math.round(peak)} MB with the lists`,
          peak - idle <= MEMORY_AT_MOST,
        ),
        seen(
          `reads of the product, median and p99: ${both(alone)} before, ${both(during)} beside them`,
        ),
        seen(
          `${all.length} lists of categories, slowest ${duration(Math.max(...all.map(({ ms }) => ms)))}; ` +
            `not whole ${broken.length}`,
          broken.length === 0,
        ),
        seen(
          `reads of the product, median and p99: ${both(before)} before, ${both(beside)} beside them`,
          median(beside) <= SLOWER_AT_MOST * median(before),
        ),
      ],
    };
  },
};

/** Milliseconds of answers; those that failed took for ever. */
const times = (answers) => answers.map(({ status, ms }) => (status === 200 ? ms : Infinity));

const both = (values) => `${duration(median(values))} and ${duration(p99(values))}`;

/** Inserts a category with many products, in another order than that of its list. */
async function largeCategory(postgres, databaseUrl, number, count) {
  const [{ id }] = await postgres.sql(
    databaseUrl,
    "INSERT INTO categories (name, slug) VALUES ('Everything', $1) RETURNING id",
    [`everything-${number}`],
  );
  const batch = 50_000;
  for (let from = 1; from <= count; from += batch) {
    await postgres.sql(
      databaseUrl,
      `INSERT INTO products (name, slug, description, price, is_active, category_id, created_at)
       SELECT 'Tea number ' || n, $1 || '-everything-' || n, 'Whole leaves, picked by hand in spring.',
              (n % 10000) / 100.0, true, $2, now() - (n::bigint * 7919 % 1000003) * interval '1 second'
       FROM generate_series($3::integer, $4::integer) AS n`,
      [String(number), id, from, Math.min(count, from + batch - 1)],
    );
  }
  const [{ ids }] = await postgres.sql(
    databaseUrl,
    `SELECT array_agg(id ORDER BY created_at DESC, id DESC) AS ids FROM products WHERE category_id = $1`,
    [id],
  );
  return { id, ids };
}

const manyCategories = (postgres, databaseUrl) =>
  postgres.sql(
    databaseUrl,
    `INSERT INTO categories (name, slug)
     SELECT 'Category number ' || n, 'category-' || n FROM generate_series(1, ${CATEGORIES}) AS n`,
  );
