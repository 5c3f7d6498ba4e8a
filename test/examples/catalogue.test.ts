import { scrollProducts, searchProducts } from "../../examples/graphql/catalogue";
import { createGraphqlClient } from "../../examples/graphql/client";
import { findProducts, productPages } from "../../examples/rest/catalogue";
import { createShop, dataOf } from "../../examples/rest/client";
import { ConnectionError, ShopError } from "../../examples/shop-error";
import { startApp, type TestApp } from "../support/app";
import { startLossyProxy, type LossyProxy } from "./lossy-proxy";

const PRICES = ["3.00", "10.00", "7.50", "1.20", "99.99"];

let app: TestApp;
let proxy: LossyProxy;
let ids: number[];
beforeAll(async () => {
  app = await startApp();
  proxy = await startLossyProxy(app.url);
  const { id: category_id } = await app.make.category({ name: "Green" });
  ids = [];
  for (const [index, price] of PRICES.entries()) {
    const name = `Tea ${index}`;
    ids.push((await app.make.product({ name, price, category_id })).id);
  }
  await app.make.product({ name: "Tea for later", is_active: false, category_id });
  await app.make.product({ name: "Pot", description: "for GREEN teas", category_id });
});
beforeEach(() => void (proxy.sent.length = 0));
afterAll(async () => {
  await proxy.close();
  await app.close();
});

/** Each part's names. */
async function namesOf(parts: AsyncIterable<readonly { name: string }[]>): Promise<string[][]> {
  const names: string[][] = [];
  for await (const part of parts) names.push(part.map(({ name }) => name));
  return names;
}

test("the REST example reads all pages", async () => {
  expect(await namesOf(productPages(createShop(app.url), 3))).toEqual([
    ["Pot", "Tea for later", "Tea 4"],
    ["Tea 3", "Tea 2", "Tea 1"],
    ["Tea 0"],
  ]);
});

test("the REST example finds what can be ordered and has all words", async () => {
  const found = await findProducts(createShop(app.url), "tea green");
  expect(found.map(({ name }) => name)).toEqual(["Pot"]);
  const teas = await findProducts(createShop(app.url), "Tea");
  expect(teas.map(({ name }) => name).join()).toBe("Pot,Tea 4,Tea 3,Tea 2,Tea 1,Tea 0");
});

test("the GraphQL example scrolls in the order that is asked for, while products are added", async () => {
  const client = createGraphqlClient(proxy.url);
  const sort = { field: "PRICE", direction: "ASC" } as const;
  const seen: string[][] = [];
  for await (const part of scrollProducts(client, { filter: { ids }, sort }, 2)) {
    seen.push(part.map(({ price, category }) => `${price} ${category.name}`));
    await app.make.product({ name: "Tea of today", price: "0.50" });
  }
  expect(seen).toEqual([
    ["1.20 Green", "3.00 Green"],
    ["7.50 Green", "10.00 Green"],
    ["99.99 Green"],
  ]);
  expect(proxy.sent).toHaveLength(3);
  for (const sent of proxy.sent) expect(sent).toMatch(/^GET \/graphql\?/);
  await app.sql("DELETE FROM products WHERE name = 'Tea of today'");
});

test("the GraphQL example searches", async () => {
  const { data, meta } = await searchProducts(createGraphqlClient(app.url), "teas GRÉEN");
  expect(data).toMatchObject([{ name: "Pot", price: expect.stringMatching(/^\d+\.\d\d$/) }]);
  expect(meta).toMatchObject({ total: 1, totalPages: 1 });
});

test("the GraphQL example lists the best match first", async () => {
  const { data } = await searchProducts(createGraphqlClient(app.url), "tea");
  const names = ["Tea 4", "Tea 3", "Tea 2", "Tea 1", "Tea 0", "Pot"];
  expect(data.map(({ name }) => name)).toEqual(names);
});

test("a refusal that is about no field has its message alone", async () => {
  const shop = createShop(app.url);
  const call = dataOf(shop.GET("/products/{id}", { params: { path: { id: 999_999 } } }));
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ShopError);
  expect(error).toMatchObject({ status: 404, messages: ["Product not found"] });
  expect([...(error as ShopError).byField]).toEqual([]);
});

test("an answer that is lost is a failed connection at both doors", async () => {
  proxy.fates = ["lose", "lose"];
  await expect(searchProducts(createGraphqlClient(proxy.url), "tea")).rejects.toThrow(
    ConnectionError,
  );
  await expect(dataOf(createShop(proxy.url).GET("/categories"))).rejects.toThrow(ConnectionError);
});
