/** @check */
import { Client } from "pg";
import sql from "sql-template-tag";
import { connect } from "../../src/database/connection/pool";
import { runSql, runWithin } from "../../src/database/statements/sql";
import { inTransaction } from "../../src/database/statements/transaction";
import { OrderStatus } from "../../src/models";
import {
  ProductSortField,
  SortDirection,
} from "../../src/services/catalogue/inputs/product-inputs";
import { productOrder } from "../../src/services/catalogue/product-order";
import { useApp } from "../support/app";

jest.setTimeout(60_000);

const app = useApp({ database: { poolSize: 1 }, catalogue: { cache: true } });

test("no two texts of a list have the same name, which PostgreSQL does not cut", async () => {
  const spy = jest.spyOn(Client.prototype, "query");
  const { products, orders } = app.shop.services;
  const cursor = (prefix: string, value: string) =>
    Buffer.from(`${prefix}${value}:1`).toString("base64url");
  const values = {
    CREATED_AT: "1704067200000",
    NAME: "tea",
    PRICE: "1.00",
    RELEVANCE: "1704067200000 tea",
  };
  const filters = [{}, { isActive: true }, { categoryId: 1 }, { categoryId: 1, isActive: true }];
  const sorts = Object.values(ProductSortField).flatMap((field) =>
    Object.values(SortDirection).map((direction) => ({ field, direction })),
  );
  for (const backwards of [true, false]) {
    for (const counted of [true, false]) {
      for (const size of [10, 7]) {
        for (const sort of sorts) {
          const searched = sort.field === ProductSortField.RELEVANCE ? { search: "tea" } : {};
          const { prefix } = productOrder({ filter: searched, sort });
          for (const at of [undefined, cursor(prefix, values[sort.field])]) {
            for (const filter of filters) {
              for (const withCategories of [true, false]) {
                for (const withDescriptions of [true, false]) {
                  const query = {
                    filter: { ...filter, ...searched },
                    sort,
                    counted,
                    withCategories,
                    withDescriptions,
                  };
                  await products.keysetPage({ size, backwards, cursor: at }, query);
                  // The second page begins where those begin that are read in another way.
                  for (const page of size === 10 ? [300, 51] : [300]) {
                    await products.page({ page, pageSize: size }, query);
                  }
                }
              }
            }
          }
        }
        for (const at of [undefined, cursor("", values.CREATED_AT)]) {
          for (const filter of [{}, { status: OrderStatus.PAID }]) {
            await orders.keysetPage({ size, backwards, cursor: at }, { filter, counted });
          }
        }
      }
    }
  }
  const texts = new Map<string, Set<string>>();
  for (const [{ name, text }] of spy.mock.calls as unknown as [{ name?: string; text: string }][]) {
    if (name !== undefined) texts.set(name, (texts.get(name) ?? new Set()).add(text));
  }
  spy.mockRestore();
  expect(texts.size).toBeGreaterThan(50);
  expect([...texts].filter(([, { size }]) => size > 1).map(([name]) => name)).toEqual([]);
  expect([...texts.keys()].filter((name) => Buffer.byteLength(name) > 63)).toEqual([]);
});

test("a migration that changes a column's type fails no request", async () => {
  const { id } = await app.make.product();
  await app.http.get(`/products/${id}`).expect(200);
  await app.sql("ALTER TABLE products ALTER COLUMN price TYPE numeric(12, 2)");
  await app.http.get(`/products/${id}`).expect(200);
  await app.http.get(`/products/${id}`).expect(200);
});

test.each([
  ["while its values are read", "two", "22P02"],
  ["while it runs", 0, "22012"],
])("a statement whose first use fails %s works the next time", async (_when, value, code) => {
  const sequelize = connect({ url: app.database.url, poolSize: 1 });
  const part = (divisor: unknown) =>
    runSql(sequelize, sql`SELECT 8 / ${divisor}::integer AS part`, { name: "part" });
  await expect(part(value)).rejects.toMatchObject({ code });
  expect([await part(4), await part(2)]).toEqual([[{ part: 2 }], [{ part: 4 }]]);
  await sequelize.close();
});

test("a statement of a transaction that has ended is refused", async () => {
  const sequelize = connect({ url: app.database.url, poolSize: 1 });
  const ended = await inTransaction(sequelize, (transaction) => Promise.resolve({ transaction }));
  await expect(runWithin(sequelize, ended.transaction, sql`SELECT 1`)).rejects.toThrow(
    "can no longer use it",
  );
  await sequelize.close();
});
