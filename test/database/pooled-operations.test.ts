/** @check */

import { buildSchema } from "graphql";
import { readFileSync } from "node:fs";
import path from "node:path";
import { execute } from "../graphql/client";
import { layersOf, routesOf } from "../security/served-operations";
import { startApp, type TestApp } from "../support/app";
import { createDatabase, type TestDatabase } from "../support/database";
import { PASSWORD } from "../support/factories";
import { send, sendJson } from "../support/raw-http";
import { startTransactionPooler, type TransactionPooler } from "../support/transaction-pooler";

jest.setTimeout(60_000);

/** Every route of the service that needs the database; those of the first two columns as in Express. */
type RestCall = [method: string, route: string, path: string, body: object | undefined, to: number];

async function restCalls(app: TestApp): Promise<RestCall[]> {
  const { make } = app;
  const { email } = await make.admin();
  const [category, emptyCategory] = [await make.category(), await make.category()];
  const long = await make.category();
  await app.sql(
    `INSERT INTO products (name, slug, price, category_id)
     SELECT 'Tea ' || n, 'long-' || n, 1, $1 FROM generate_series(1, 1001) AS n`,
    [long.id],
  );
  const product = await make.product({ category_id: category.id });
  const unsold = await make.product({ category_id: category.id });
  const order = {
    customerEmail: "ada@example.com",
    items: [{ productId: product.id, quantity: 2 }],
  };
  return [
    ["POST", "/auth/login", "/auth/login", { email, password: PASSWORD }, 200],
    ["POST", "/auth/login", "/auth/login", { email, password: "another password" }, 400],
    ["GET", "/categories", "/categories", undefined, 200],
    ["POST", "/categories", "/categories", { name: "Oolong" }, 201],
    ["POST", "/categories", "/categories", { name: "Oolong", slug: category.slug }, 409],
    ["PATCH", "/categories/:id", `/categories/${category.id}`, { name: "Black" }, 200],
    ["PATCH", "/categories/:id", "/categories/999999", { name: "Black" }, 404],
    ["DELETE", "/categories/:id", `/categories/${category.id}`, undefined, 409],
    ["DELETE", "/categories/:id", `/categories/${emptyCategory.id}`, undefined, 200],
    ["GET", "/products", "/products?page=1&pageSize=5", undefined, 200],
    ["GET", "/products/:id", `/products/${product.id}`, undefined, 200],
    ["GET", "/products/:id", "/products/999999", undefined, 404],
    ["GET", "/products/category/:categoryId", `/products/category/${category.id}`, undefined, 200],
    ["GET", "/products/category/:categoryId", `/products/category/${long.id}`, undefined, 200],
    [
      "POST",
      "/products",
      "/products",
      { name: "Sencha", price: "1.50", categoryId: category.id },
      201,
    ],
    ["POST", "/products", "/products", { name: "Sencha", price: "1", categoryId: 999999 }, 400],
    ["PATCH", "/products/:id/status", `/products/${product.id}/status`, { isActive: false }, 200],
    ["POST", "/orders", "/orders", order, 400],
    ["PATCH", "/products/:id/status", `/products/${product.id}/status`, { isActive: true }, 200],
    ["POST", "/orders", "/orders", order, 201],
    ["GET", "/orders", "/orders?customerEmail=ada@example.com", undefined, 200],
    ["DELETE", "/products/:id", `/products/${product.id}`, undefined, 409],
    ["DELETE", "/products/:id", `/products/${unsold.id}`, undefined, 200],
    ["GET", "/admin/export/orders", "/admin/export/orders?format=csv", undefined, 200],
    ["GET", "/admin/export/products", "/admin/export/products?format=jsonl", undefined, 200],
    ["GET", "/admin/export/subscribers", "/admin/export/subscribers?format=csv", undefined, 200],
    // It is a line of JSON, too; whether a file is good is told within the answer.
    ["POST", "/admin/import", "/admin/import?dryRun=true", { type: "category" }, 200],
    ["GET", "/health/ready", "/health/ready", undefined, 200],
  ];
}

/** A file for the administrators' app, either way; its answers are no JSON. */
async function sendFile(app: TestApp, method: string, address: string, body?: object) {
  const response = await fetch(`${app.url}${address}`, {
    method,
    headers: { authorization: app.asAdmin, "content-type": "application/x-ndjson" },
    body: body ? JSON.stringify(body) : null,
  });
  return { status: response.status, text: await response.text() };
}

/** Each field of Query and Mutation, some of them failing, with the error's code. */
/** An endpoint whose deliveries nobody sends, and one of them. */
async function endpointAndDelivery(app: TestApp): Promise<[number, string]> {
  const { body: created } = await execute(
    app,
    {
      query: `mutation {
        createWebhookEndpoint(input: { url: "https://example.com/" }) { endpoint { id } }
      }`,
    },
    app.asAdmin,
  );
  const { createWebhookEndpoint } = created.data as {
    createWebhookEndpoint: { endpoint: { id: number } };
  };
  const { id } = createWebhookEndpoint.endpoint;
  const { body: tested } = await execute(
    app,
    { query: `mutation { sendTestEvent(endpointId: ${id}) { id } }` },
    app.asAdmin,
  );
  const { sendTestEvent } = tested.data as { sendTestEvent: { id: string } };
  return [id, sendTestEvent.id];
}

const UNKNOWN = "5a2d0a8c-4d5e-4c2f-9f0b-2b8f6f1c7d3e";
const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();

async function graphqlCalls(app: TestApp): Promise<[string, string?][]> {
  const { make } = app;
  const { email } = await make.admin();
  const reader = await make.subscriber();
  const product = await make.product();
  const [spare, category] = [await make.product(), await make.category()];
  const order = await make.order();
  const items = `items: [{ productId: ${product.id}, quantity: 1 }]`;
  const input = `input: { customerEmail: "ada@example.com", ${items} }`;
  const placed = await execute(app, { query: `mutation { placeOrder(${input}) { lookup } }` });
  const { lookup } = (placed.body.data as { placeOrder: { lookup: string } }).placeOrder;
  const [endpoint, delivery] = await endpointAndDelivery(app);
  const login = (password: string) =>
    `mutation { login(input: { email: "${email}", password: "${password}" }) { accessToken } }`;
  const change = (current: string) =>
    `mutation { changePassword(currentPassword: "${current}", newPassword: "another horse") { accessToken } }`;
  return [
    ["{ categories { id products { data { id } meta { total } } } }"],
    [`{ category(slug: "${category.slug}") { id } }`],
    ["{ newsletterSubscribers { data { email } meta { total } } }"],
    ['{ customerData(email: "gone@example.com") { orders } }'],
    ["{ events { totalCount edges { node { id data } } } }"],
    ["{ auditLog { totalCount edges { node { operation } } } }"],
    ['{ salesByDay(from: "2026-11-01", to: "2026-11-30") { orders } }'],
    ["{ orderTotals { orders amount } }"],
    ['{ bestSellers(from: "2026-11-01T00:00:00Z", before: "2026-12-01T00:00:00Z") { asOf } }'],
    ["{ customers { data { email } meta { total } } }"],
    ["{ orders { data { id items { product { id } } } meta { total } } }"],
    ["{ ordersConnection { totalCount edges { node { id } } pageInfo { endCursor } } }"],
    [`{ order(id: ${order.id}) { id } }`],
    [`{ orderByLookup(lookup: "${lookup}") { id } }`],
    [`{ products(filter: { search: "product" }) { data { category { id } } meta { total } } }`],
    ["{ productsConnection { totalCount edges { node { id } } } }"],
    [`{ product(id: ${product.id}) { id } }`],
    [login(PASSWORD)],
    [login("another password"), "BAD_USER_INPUT"],
    ["mutation { renewToken { accessToken } }"],
    [`mutation { confirmIdentity(password: "${PASSWORD}") }`],
    ["{ sessions { id } }"],
    ["{ programTokens { id } }"],
    [`mutation { createProgramToken(name: "Printer", endsAt: "${nextMonth}") { token { id } } }`],
    [`mutation { endProgramToken(id: "${UNKNOWN}") }`],
    [`mutation { endSession(id: "${UNKNOWN}") }`],
    ["mutation { endOtherSessions }"],
    ["mutation { logOut }"],
    [change("another password"), "BAD_USER_INPUT"],
    [change(PASSWORD)],
    ["{ secondFactors { oneTimeCodes recoveryCodesLeft passkeys { id } } }"],
    ["mutation { startOneTimeCodes { uri } }"],
    ['mutation { confirmOneTimeCodes(code: "no code") }', "BAD_USER_INPUT"],
    ["mutation { endOneTimeCodes }"],
    ["mutation { startPasskey }", "BAD_USER_INPUT"],
    ['mutation { confirmPasskey(name: "Phone", response: {}) { id } }', "BAD_USER_INPUT"],
    ['mutation { endPasskey(id: "7") }'],
    ["mutation { startPasskeyLogin }", "BAD_USER_INPUT"],
    ["mutation { loginWithPasskey(response: {}) { accessToken } }", "BAD_USER_INPUT"],
    ["mutation { startPasskeyConfirmation }", "BAD_USER_INPUT"],
    ['mutation { createCategory(input: { name: "Green" }) { id } }'],
    [`mutation { updateCategory(id: ${category.id}, input: { name: "White" }) { id } }`],
    [`mutation { deleteCategory(id: ${product.category_id}) { id } }`, "CONFLICT"],
    [`mutation { deleteCategory(id: ${category.id}) { id } }`],
    ['mutation { subscribeToNewsletter(email: "new@example.com") }'],
    [`mutation { confirmSubscription(token: "1.1.1.${"a".repeat(43)}") }`],
    [
      'mutation { acceptInvitation(token: "a", password: "a horse and a battery") { accessToken } }',
      "BAD_USER_INPUT",
    ],
    [`mutation { unsubscribe(token: "1.${"a".repeat(43)}") }`],
    [`mutation { unsubscribeFromNewsletter(email: "${reader.email}") }`],
    [`mutation { placeOrder(${input}, idempotencyKey: "one") { id items { id } } }`],
    [`mutation { placeOrder(${input}, idempotencyKey: "one") { id items { id } } }`],
    [`mutation { placeOrder(${input}, expectedTotal: "1") { id } }`, "CONFLICT"],
    [`mutation { setOrderStatus(id: ${order.id}, status: PAID) { id } }`],
    [
      `mutation { createProduct(input: {
         name: "Sencha", price: "2", categoryId: ${product.category_id}
       }) { id } }`,
    ],
    [`mutation { updateProduct(id: ${product.id}, input: { price: "3" }) { id } }`],
    [
      `mutation { withdrawPrice(productId: ${product.id}, from: "2026-11-01T00:00:00Z") { id } }`,
      "NOT_FOUND",
    ],
    [`mutation { setProductStatus(id: ${product.id}, isActive: true) { id } }`],
    [`mutation { deleteProduct(id: ${product.id}) { id } }`, "CONFLICT"],
    [`mutation { deleteProduct(id: ${spare.id}) { id } }`],
    ["{ webhookEndpoints { deliveries { totalCount edges { node { tries { at } } } } } }"],
    [`{ webhookEndpoint(id: ${endpoint}) { url } }`],
    [
      `mutation { createWebhookEndpoint(input: { url: "https://example.org/" }) { endpoint { id } } }`,
    ],
    [
      `mutation { updateWebhookEndpoint(id: ${endpoint}, input: { types: ["order.placed"] }) { id } }`,
    ],
    [`mutation { rotateWebhookSecret(id: ${endpoint}) }`],
    [`mutation { sendTestEvent(endpointId: ${endpoint}) { id } }`],
    [`mutation { resendDelivery(id: "${delivery}") { id } }`],
    [
      `mutation { resendEvents(
         endpointId: ${endpoint}, from: "2020-01-01T00:00:00Z", before: "9999-01-01T00:00:00Z"
       ) }`,
    ],
    [`mutation { deleteWebhookEndpoint(id: ${endpoint}) { id } }`],
    [`mutation { eraseCustomer(email: "${reader.email}") { orders subscriptions } }`],
  ];
}

/** What needs no database, and GraphQL's door, whose operations are called one by one. */
const OTHERS = [
  ...["GET /health/live", "GET /explorer", "GET /docs", "GET /", "GET /openapi.json"],
  "GET /admin/{*path}",
  ...["GET /graphql", "ALL /graphql"],
];

const POOLERS: [sessions: number, names: "refused" | "kept", namedStatements: boolean][] = [
  [3, "refused", false],
  [1, "refused", false],
  [3, "kept", true],
  [1, "kept", true],
];

describe.each(POOLERS)("behind a pooler of %i sessions with names %s", (sessions, names, on) => {
  let database: TestDatabase;
  let pooler: TransactionPooler;
  let app: TestApp;

  beforeAll(async () => {
    database = await createDatabase();
    pooler = await startTransactionPooler(database.url, { sessions, names });
    app = await startApp({
      database: { url: pooler.url, namedStatements: on },
      login: { failureLimit: 10, addressFailureLimit: 50 },
      rateLimits: { orders: 1000, newsletter: 1000 },
    });
  });

  afterAll(async () => {
    await app.close();
    await pooler.close();
    await database.drop();
  });

  test("every operation of REST passes", async () => {
    const calls = await restCalls(app);
    for (const [method, , address, body, status] of calls) {
      const headers = { authorization: app.asAdmin };
      const answer = address.startsWith("/admin/")
        ? await sendFile(app, method, address, body)
        : body
          ? await sendJson(app.url, method, address, JSON.stringify(body), headers)
          : await send(app.url, { method, path: address, headers });
      expect([method, address, answer.status, answer.text]).toEqual([
        ...[method, address, status],
        expect.anything(),
      ]);
    }
    const again = () =>
      sendJson(
        app.url,
        "POST",
        "/orders",
        JSON.stringify(
          calls.find(([, route, , , status]) => route === "/orders" && status === 201)![3],
        ),
        { "idempotency-key": "again" },
      );
    const [first, second] = [await again(), await again()];
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(pooler.refused).toEqual([]);
    expect(pooler.parsed.length).toBeGreaterThan(20);
    expect(pooler.parsed.some(({ name }) => name !== "")).toBe(on);
    const called = new Set(calls.map(([method, route]) => `${method} ${route}`));
    const routes = routesOf(layersOf(app.shop.handler.router)).map((route) => route.join(" "));
    const left = routes.filter((route) => !called.has(route));
    expect(left.filter((route) => !OTHERS.includes(route))).toEqual([]);
  });

  test("every operation of GraphQL passes", async () => {
    const calls = await graphqlCalls(app);
    for (const [query, code] of calls) {
      const { body } = await execute(app, { query }, app.asAdmin);
      expect([query, body.errors?.map(({ extensions }) => extensions.code)]).toEqual([
        query,
        code === undefined ? undefined : [code],
      ]);
    }
    expect(pooler.refused).toEqual([]);
    const schema = buildSchema(readFileSync(path.join(__dirname, "../../schema.graphql"), "utf8"));
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    );
    const called = calls.map(([query]) => /^\w*\s*{ (\w+)/.exec(query)?.[1]);
    expect(fields.filter((field) => !called.includes(field))).toEqual([]);
  });

  test("many requests at once share the sessions", async () => {
    const product = await app.make.product();
    const items = [{ productId: product.id, quantity: 1 }];
    const order = JSON.stringify({ customerEmail: "ada@example.com", items });
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const answer = await (index % 2 === 0
          ? sendJson(app.url, "POST", "/orders", order, { "idempotency-key": `key-${index % 10}` })
          : send(app.url, { method: "GET", path: `/products?page=1&pageSize=${index}` }));
        return answer.status;
      }),
    );
    expect(statuses).toEqual(statuses.map((_, index) => (index % 2 === 0 ? 201 : 200)));
    expect(pooler.refused).toEqual([]);
  });
});
