import { startApp, startReplica, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { send, sendJson } from "../support/raw-http";
import { execute } from "../graphql/client";
import { seriesIn } from "./series";

let app: TestApp;
beforeEach(async () => {
  app = await startApp({ metrics: { port: 0 } });
});
afterEach(() => app.close());

const get = (path: string) => send(app.url, { method: "GET", path });

/** Series of a name by their labels. */
async function series(name: string): Promise<Record<string, number>> {
  const all = [...seriesIn(await app.metrics())].filter(([each]) => each.startsWith(`${name}{`));
  return Object.fromEntries(
    all.map(([each, value]) => [
      [...each.matchAll(/[a-z]+="([^"]*)"/g)].map(([, text]) => text).join(", "),
      value,
    ]),
  );
}

/** The counts of requests, when so many are counted: each is when its connection has taken the answer. */
async function counted(requests: number): Promise<Record<string, number>> {
  const total = async () =>
    Object.values(await series("tea_requests_total")).reduce((sum, count) => sum + count, 0);
  await eventually(async () => (await total()) >= requests);
  return series("tea_requests_total");
}

test("requests count by door, pattern of the route, and status", async () => {
  const { id } = await app.make.category();
  await get(`/products/category/${id}`);
  await get(`/products/category/${id}`);
  await get("/Products/category/77/?page=1");
  await fetch(`${app.url}/categories`, { method: "HEAD" });
  await sendJson(app.url, "POST", "/orders", "{}");
  await get("/health/live");
  await get("/HEALTH/live/");
  await fetch(`${app.url}/explorer`);
  await get("/nowhere");
  await send(app.url, { method: "OPTIONS", path: "/orders" });
  expect(await counted(10)).toEqual({
    "rest, GET /products/category/:categoryId, 200": 2,
    "rest, GET /products/category/:categoryId, 404": 1,
    "rest, GET /categories, 200": 1,
    "rest, POST /orders, 400": 1,
    "other, GET /health/live, 200": 2,
    "other, GET /explorer, 200": 1,
    "other, none, 404": 1,
    "other, OPTIONS *, 404": 1,
  });
  expect(await series("tea_request_duration_seconds_count")).toMatchObject({
    "rest, GET /products/category/:categoryId": 3,
    "other, GET /health/live": 2,
  });
});

test("documents that are not trusted, and unknown hashes, count as no operation", async () => {
  const shop = await startReplica(app, { metrics: { port: 0 }, graphql: { documents: new Map() } });
  try {
    const extensions = { cost: true, persistedQuery: { version: 1, sha256Hash: "unknown" } };
    const { text } = await sendJson(shop.url, "POST", "/graphql", JSON.stringify({ extensions }));
    expect(text).not.toContain("maxCost");
    await execute(shop, { query: "{ categories { id } }" });
    const page = async () =>
      [...seriesIn(await shop.metrics())].filter(([name]) =>
        name.startsWith("tea_requests_total{"),
      );
    await eventually(async () => (await page()).length >= 2);
    expect(Object.fromEntries(await page())).toEqual({
      'tea_requests_total{door="graphql",operation="none",code="PERSISTED_QUERY_NOT_FOUND"}': 1,
      'tea_requests_total{door="graphql",operation="none",code="FORBIDDEN"}': 1,
    });
  } finally {
    await shop.close();
  }
});

test("GraphQL operations count by the field that they select, and by their first error", async () => {
  const named = "query Anything { first: categories { id } ... on Query { categories { name } } }";
  const asAdmin = (query: string) => execute(app, { query }, app.asAdmin);
  await execute(app, { query: named.replace("first", "categories") });
  const aliased = named.replace("... on Query { categories", "... on Query { second: categories");
  await execute(app, { query: aliased });
  await execute(app, { query: aliased }); // from what was kept
  await execute(app, {
    query: "{ ...Fields } fragment Fields on Query { products { meta { total } } }",
  });
  await execute(app, { query: "{ categories { id } products { meta { total } } }" });
  await execute(app, { query: "{ orders { meta { total } } }" });
  await asAdmin("mutation { deleteCategory(id: 77) { id } }");
  await execute(app, { query: "{ no such field }" });
  await execute(app, { query: "{ __schema { description } }" });
  await execute(app, { query: `{ ${"a{".repeat(300)}` });
  await sendJson(app.url, "POST", "/graphql", "{");
  await sendJson(app.url, "POST", "/graphql", "{}");
  expect(await counted(12)).toEqual({
    "graphql, categories, OK": 3,
    "graphql, products, OK": 1,
    "graphql, several, OK": 1,
    "graphql, orders, UNAUTHENTICATED": 1,
    "graphql, deleteCategory, NOT_FOUND": 1,
    "graphql, none, GRAPHQL_VALIDATION_FAILED": 1,
    "graphql, __schema, OK": 1,
    "graphql, none, BAD_USER_INPUT": 1,
    "graphql, none, BAD_REQUEST": 1,
    "graphql, none, 400": 1,
  });
});
