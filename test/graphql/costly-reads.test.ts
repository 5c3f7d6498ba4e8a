/** @check */

import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { send } from "../support/raw-http";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { execute, type GraphqlAnswer } from "./client";

jest.setTimeout(60_000);

let app: TestApp;
let holder: Client;
beforeEach(async () => {
  app = await startApp({
    database: { poolSize: 8, acquireTimeout: 20_000 },
  });
  for (let made = 0; made < 5; made += 1) await app.make.product({ name: "Sencha" });
  await send(app.url, { method: "GET", path: "/products" }); // the products are counted
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE products, orders");
});
afterEach(async () => {
  await holder.end();
  await app.close();
});

const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(" ");

const pages = `{ ${times(20, (i) => `a${i}: products { data { id } }`)} }`;
const nestedPages = `{ categories { ${times(4, (i) => `a${i}: products(page: ${i + 1}) { data { id } }`)} } }`;

/** Sends requests at once; lets them go on when as many as may read wait for the lock, and no more do. */
async function held<T>(requests: (() => Promise<T>)[], readers: number): Promise<T[]> {
  const answers = requests.map((request) => request());
  await eventually(async () => (await waitingForLocks(app)) >= readers);
  // Whatever else would read has had the time of a request of its own to begin.
  const { status } = await send(app.url, { method: "GET", path: "/categories" });
  expect([status, await waitingForLocks(app)]).toEqual([200, readers]);
  await holder.query("COMMIT");
  return Promise.all(answers);
}

const asked = (query: string) => () => execute(app, { query }, app.asAdmin);

const codesOf = ({ body }: GraphqlAnswer) =>
  (body.errors ?? []).map(({ extensions }) => extensions.code);

const id = "{ data { id } }";

test.each([
  ["searches", `products(filter: { search: "sencha" }) ${id}`],
  ["totals", "products(filter: { minPrice: 1 }) { meta { total } }"],
  ["totals of orders", `orders(filter: { placedFrom: "2020-01-01T00:00:00Z" }) { meta { total } }`],
  ["conditions without an index", `products(filter: { minPrice: 1 }, sort: { field: NAME }) ${id}`],
])("hold a quarter of the connections at most: %s", async (_label, field) => {
  const query = `{ ${times(8, (i) => `a${i}: ${field}`)} }`;
  const answers = await held(
    [1, 2, 3, 4].map(() => asked(query)),
    2,
  );
  for (const answer of answers) expect(codesOf(answer)).toEqual([]);
});

const pagesFrom = (first: number) =>
  // Requests for the same page would share a read.
  [0, 1, 2, 3, 4].map(
    (index) => () =>
      send(app.url, { method: "GET", path: `/products?pageSize=1&page=${first + index}` }),
  );

test.each([
  ["ordinary pages of REST have all connections", 1, 5],
  ["of pages far from the beginning, one is read at a time", 100_000, 1],
])("%s", async (_label, first, readers) => {
  for (const { status } of await held(pagesFrom(first), readers)) expect(status).toBe(200);
});

test.each([
  ["pages", pages],
  ["pages of categories", nestedPages],
])("the reads of one request hold 2 connections at most: %s", async (_label, query) => {
  const [answer] = await held([asked(query)], 2);
  expect(codesOf(answer!)).toEqual([]);
});
