/** @check */

import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { execute } from "../graphql/client";

jest.setTimeout(60_000);

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

const START = "timestamptz '2026-01-01'";

/** Orders of all states: many of one moment, then one a minute. */
const addOrders = (from: number, to: number, time = `${START} + n * interval '1 minute'`) =>
  app.sql(
    `INSERT INTO orders (customer_email, total_amount, status, created_at)
     SELECT 'a@b.co', 1, (ARRAY['PENDING', 'PAID', 'PAID', 'PAID'])[1 + n % 4]::order_status, ${time}
     FROM generate_series(${from}, ${to}) AS n`,
  );

const fold = async () => {
  await app.sql("SELECT fold_changes('orders', 1000000), fold_changes('products', 1000000)");
};

interface Read {
  readonly data: { id: number }[];
  readonly meta: { total: number; totalPages: number };
}

async function readPage(path: string, page: number | string): Promise<Read> {
  const { status, body } = await app.http
    .get(`${path}page=${page}`)
    .set("authorization", app.asAdmin);
  expect(status).toBe(200);
  return body as Read;
}

/** Reads pages from the first to one beyond the last, each `step`th, and compares them with the rows. */
async function expectPages(path: string, where: string, step = 1): Promise<void> {
  const ids = (
    await app.sql<{ id: number }>(`SELECT id FROM ${where} ORDER BY created_at DESC, id DESC`)
  ).map(({ id }) => id);
  const pages = Math.ceil(ids.length / 50);
  for (let page = 1; page <= pages + step; page += step) {
    const { data, meta } = await readPage(`${path}pageSize=50&`, page);
    expect(meta).toMatchObject({ total: ids.length, totalPages: pages });
    expect(data.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 50, page * 50));
  }
}

const expectOrders = async (step = 1) => {
  await expectPages("/orders?", "orders", step);
  await expectPages("/orders?status=PENDING&", "orders WHERE status = 'PENDING'", step);
  await expectPages("/orders?status=CANCELLED&", "orders WHERE status = 'CANCELLED'", step);
};

test("every page is that of the rows: of one moment, in the past, after deletions, before and after folding", async () => {
  await addOrders(1, 3000, START);
  await addOrders(3001, 7000);
  await fold();
  await expectOrders(2);

  // Unfolded, at both ends and in the middle.
  await addOrders(1, 700, `${START} - n * interval '1 hour'`);
  await addOrders(1, 700, `${START} + interval '2 days' + n * interval '1 second'`);
  await app.sql("DELETE FROM orders WHERE id BETWEEN 2500 AND 4200 AND id % 3 > 0");
  await app.sql("UPDATE orders SET status = 'CANCELLED' WHERE id % 7 = 0");
  await expectOrders(5);
  await fold();
  await expectOrders(5);

  // Segments that become empty, and small ones, are merged.
  await app.sql("DELETE FROM orders WHERE id % 50 > 0");
  await fold();
  await expectOrders();
});

test("pages of products by category, activity and both are those of the rows", async () => {
  await app.sql(
    "INSERT INTO categories (name, slug) VALUES ('A', 'a'), ('B', 'b'), ('Empty', 'empty')",
  );
  await app.sql(
    `INSERT INTO products (name, slug, price, is_active, category_id, created_at)
     SELECT 'T', 't-' || n, 1, n % 3 > 0, 1 + n % 2, ${START} + n / 2 * interval '1 minute'
     FROM generate_series(1, 4000) AS n`,
  );
  await fold();
  await app.sql("UPDATE products SET category_id = 1 WHERE id % 11 = 0");
  for (const [filter, where] of [
    ["{}", "true"],
    ["{ isActive: false }", "NOT is_active"],
    ["{ categoryId: 1 }", "category_id = 1"],
    ["{ categoryId: 2, isActive: true }", "category_id = 2 AND is_active"],
    [`{ categorySlug: "b", isActive: false }`, "category_id = 2 AND NOT is_active"],
    [`{ categorySlug: "a" }`, "category_id = 1"],
    [`{ categorySlug: "empty" }`, "false"],
    [`{ categorySlug: "unknown" }`, "false"],
    ["{ categoryId: 77, isActive: true }", "false"],
  ]) {
    const ids = await app.sql<{ id: number }>(
      `SELECT id FROM products WHERE ${where} ORDER BY created_at DESC, id DESC`,
    );
    for (const page of [1, 11, 12, 25, 40, 80, 81]) {
      const { body } = await execute(app, {
        query: `{ products(filter: ${filter}, page: ${page}, pageSize: 50) { data { id } meta { total } }
                  productsConnection(filter: ${filter}, first: 1) { totalCount } }`,
      });
      expect(body.data).toEqual({
        products: {
          data: ids.slice((page - 1) * 50, page * 50).map(({ id }) => ({ id })),
          meta: { total: ids.length },
        },
        productsConnection: { totalCount: ids.length },
      });
    }
  }
});

test("pages at both sides of each 50,000 rows are those of the rows", async () => {
  // Noting each row in a trigger would take longer than counting all of them.
  await app.sql("ALTER TABLE orders DISABLE TRIGGER USER");
  await addOrders(1, 104_000, `${START} + n / 3 * interval '1 second'`);
  await app.sql("ALTER TABLE orders ENABLE TRIGGER USER; SELECT count_lists('orders')");

  const expectBoundaries = async () => {
    const [{ ids }] = (await app.sql<{ ids: number[] }>(
      "SELECT array_agg(id ORDER BY created_at DESC, id DESC) AS ids FROM orders",
    )) as [{ ids: number[] }];
    const starts = await app.sql<{ newer: number }>(
      `SELECT (SELECT count(*)::integer FROM orders
               WHERE (created_at, id) >= (from_created_at, from_id)) AS newer
       FROM list_segments WHERE table_name = 'orders' AND list = '' AND height = 1 ORDER BY newer`,
    );
    expect(starts.length).toBeGreaterThanOrEqual(3);
    for (const { newer } of starts) {
      for (const skipped of [-1, 0, 1, 999, 1000].map((more) => newer + more)) {
        const { data, meta } = await readPage("/orders?pageSize=1&", skipped + 1);
        const expected = [skipped, ids.length, ids.slice(skipped, skipped + 1)];
        expect([skipped, meta.total, data.map(({ id }) => id)]).toEqual(expected);
      }
      const page = Math.ceil(newer / 50);
      const { data } = await readPage("/orders?pageSize=50&", page);
      expect(data.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 50, page * 50));
    }
  };
  await expectBoundaries();
  await app.sql("DELETE FROM orders WHERE id % 1000 IN (1, 2)");
  await addOrders(1, 60, `${START} + n * interval '9 minutes'`);
  await expectBoundaries();
  await fold();
  await expectBoundaries();
});

test("the lists stay right when a table is truncated, and are counted again by whoever reads them", async () => {
  await addOrders(1, 3000);
  await fold();
  await app.sql("TRUNCATE orders CASCADE");
  expect(await readPage("/orders?", 1)).toMatchObject({ data: [], meta: { total: 0 } });
  await addOrders(1, 1200);
  await expectOrders(5);
  await eventually(async () => (await app.sql("SELECT FROM list_changes")).length === 0);
  await expectOrders();
});

test("a reader that meets many changes has them folded", async () => {
  await addOrders(1, 500);
  expect((await readPage("/orders?", 1)).meta.total).toBe(500);
  await eventually(async () => (await app.sql("SELECT FROM list_changes")).length === 0);
  expect((await readPage("/orders?", 1)).meta.total).toBe(500);
});

/** Enough to be folded by many calls, and few enough to be counted unfolded by a slow machine. */
const IMPORTED = 20_000;

test("nobody waits for a large import that stays open, nor does the folding", async () => {
  const { id: category } = await app.make.category();
  const { id } = await app.make.product({ category_id: category });
  const importer = new Client({ connectionString: app.database.url });
  await importer.connect();
  try {
    await importer.query("BEGIN");
    await importer.query("SET LOCAL statement_timeout = 0");
    await importer.query(
      `INSERT INTO products (name, slug, price, category_id)
       SELECT 'T', 'import-' || n, 1, ${category} FROM generate_series(1, ${IMPORTED}) AS n`,
    );
    const beside = new Client({ connectionString: app.database.url });
    await beside.connect();
    try {
      await beside.query("SET lock_timeout = '2s'");
      for (let n = 0; n < 20; n += 1) {
        await beside.query("UPDATE products SET is_active = NOT is_active WHERE id = $1", [id]);
        await beside.query(
          "INSERT INTO products (name, slug, price, category_id) VALUES ('T', $1, 1, $2)",
          [`beside-${n}`, category],
        );
        await beside.query("SELECT fold_changes('products', 1000)");
      }
      expect((await beside.query("SELECT FROM list_changes")).rowCount).toBe(0);
    } finally {
      await beside.end();
    }
    expect((await readPage("/products?", 1)).meta.total).toBe(21);
    await importer.query("COMMIT");
    expect((await readPage("/products?", 1)).meta.total).toBe(IMPORTED + 21);
    const last = await readPage("/products?pageSize=50&", IMPORTED / 50 + 1);
    expect([last.data.length, last.data.at(-1)!.id]).toEqual([21, id]);
  } finally {
    await importer.end();
  }
});
