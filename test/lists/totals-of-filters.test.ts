/** @check */

import { Client } from "pg";
import { dataOf } from "../graphql/client";
import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
  const { id } = await app.make.category();
  expect(id).toBe(1);
  for (let count = 0; count < 25; count += 1) {
    await app.make.product({ name: `Sencha ${count}`, price: String(count), category_id: 1 });
  }
  await app.make.product({ name: "Bancha", price: "30" });
});
afterEach(() => app.close());

interface Listed {
  readonly products: { readonly data: { name: string }[]; readonly meta: { total: number } };
}

const FILTERS = {
  "a search": '{ search: "sencha" }',
  "a search in a category": '{ search: "sencha", categoryId: 1 }',
  "a range of prices": '{ minPrice: "0.00", maxPrice: "24.00" }',
};

const read = async (filter: string, page: number): Promise<Listed["products"]> => {
  const query = `{ products(page: ${page}, pageSize: 10, filter: ${filter}) {
    data { name } meta { total } } }`;
  return (await dataOf<Listed>(app, query)).products;
};

describe.each(Object.entries(FILTERS))("the products of %s", (_name, filter) => {
  test("have their total on every page, even beyond the last", async () => {
    const { data, meta } = await read(filter, 3);
    expect([data.length, meta.total]).toEqual([5, 25]);
    expect((await read(filter, 9)).meta.total).toBe(25);
  });

  test("have the right total after any change, by whomever", async () => {
    expect((await read(filter, 1)).meta.total).toBe(25);
    await app.sql("DELETE FROM products WHERE name = 'Sencha 3'");
    expect((await read(filter, 2)).meta.total).toBe(24);
    await app.make.product({ name: "Sencha anew", price: "7", category_id: 1 });
    expect((await read(filter, 2)).meta.total).toBe(25);
  });
});

test("rows and total agree if a change is committed while the list is read", async () => {
  await read(FILTERS["a search"], 1);
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN; LOCK products IN ACCESS EXCLUSIVE MODE");
  const page = read(FILTERS["a search"], 3);
  await eventually(async () => (await waitingForLocks(app)) > 0);
  await holder.query("DELETE FROM products WHERE name IN ('Sencha 1', 'Sencha 2'); COMMIT");
  await holder.end();
  const { data, meta } = await page;
  expect([data.length, meta.total]).toEqual([3, 23]);
});
