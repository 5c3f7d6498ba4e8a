import { useApp } from "../support/app";
import { dataOf } from "../graphql/client";

const app = useApp();

const START = "timestamptz '2026-01-01'";

/** The ids of the rows, newest first. */
const idsOf = async (rows: string): Promise<number[]> =>
  (await app.sql<{ id: number }>(`SELECT id FROM ${rows} ORDER BY created_at DESC, id DESC`)).map(
    ({ id }) => id,
  );

test("every page of orders is that of the rows: near, far, the last, and beyond it", async () => {
  // Many of one moment, then one a minute.
  await app.sql(
    `INSERT INTO orders (customer_email, total_amount, status, created_at)
     SELECT 'a@b.co', 1, (ARRAY['PENDING', 'PAID', 'PAID', 'PAID'])[1 + n % 4]::order_status,
       ${START} + greatest(0, n - 1500) * interval '1 minute'
     FROM generate_series(1, 3007) AS n`,
  );
  for (const [filter, rows] of [
    ["", "orders"],
    ["status=PAID&", "orders WHERE status = 'PAID'"],
    ["status=CANCELLED&", "orders WHERE status = 'CANCELLED'"],
  ]) {
    const ids = await idsOf(rows!);
    for (const page of [1, 2, 15, 41, 45, 46, 61, 62, Number.MAX_SAFE_INTEGER]) {
      const { body } = await app.http
        .get(`/orders?${filter}pageSize=50&page=${page}`)
        .set("authorization", app.asAdmin);
      const totals = { total: ids.length, totalPages: Math.ceil(ids.length / 50) };
      expect(body).toMatchObject({ meta: { ...totals, page } });
      const { data } = body as { data: { id: number }[] };
      expect(data.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 50, page * 50));
    }
  }
  const uncounted =
    "{ far: orders(page: 301) { data { id } } beyond: orders(page: 302) { data { id } } }";
  const seven = (await idsOf("orders")).slice(3000).map((id) => ({ id }));
  expect(await dataOf(app, uncounted)).toEqual({ far: { data: seven }, beyond: { data: [] } });
});

test("so is every page of products by category, activity, both or neither", async () => {
  await app.sql("INSERT INTO categories (name, slug) VALUES ('A', 'a'), ('B', 'b'), ('C', 'c')");
  await app.sql(
    `INSERT INTO products (name, slug, price, is_active, category_id, created_at)
     SELECT 'T', 't-' || n, 1, n % 3 > 0, 1 + n % 2, ${START} + n / 2 * interval '1 minute'
     FROM generate_series(1, 120) AS n`,
  );
  for (const [filter, where] of [
    ["{}", "true"],
    ["{ isActive: false }", "NOT is_active"],
    ["{ categoryId: 1 }", "category_id = 1"],
    ['{ categorySlug: "b", isActive: false }', "category_id = 2 AND NOT is_active"],
    ['{ categorySlug: "c" }', "false"],
    ['{ categoryId: 1, categorySlug: "b" }', "false"],
  ]) {
    const ids = await idsOf(`products WHERE ${where}`);
    for (const page of [1, 2, 6, 7]) {
      const query = `{
        products(filter: ${filter}, page: ${page}, pageSize: 20) { data { id } meta { total } }
        productsConnection(filter: ${filter}, first: 1) { totalCount }
      }`;
      const data = ids.slice((page - 1) * 20, page * 20).map((id) => ({ id }));
      expect(await dataOf(app, query)).toEqual({
        products: { data, meta: { total: ids.length } },
        productsConnection: { totalCount: ids.length },
      });
    }
  }
});
