/** @check */

import { startServer, type RunningServer } from "../../src/process/server";
import { startApp, startReplica, type Overrides, type TestApp } from "../support/app";
import { administrate, endConnections } from "../support/database";
import { expectDocumented } from "../support/documented";
import { openapi } from "../support/openapi";
import { exchange } from "../support/raw-http";
import { tokenFor } from "../support/tokens";

jest.setTimeout(60_000);

/** What of a request matters to its answer. */
interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

/** A way to call each operation that succeeds as often as it is repeated, unless the shop's things are gone. */
let calls: Record<string, Sent>;
let app: TestApp;
let shop: RunningServer;
let hasty: RunningServer;
/** Pairs of operation and status that were answered. */
const provoked = new Set<string>();

beforeAll(async () => {
  app = await startApp({ catalogue: { cache: true } });
  shop = await startServer(app.shop.handler, { port: 0, host: "127.0.0.1" });
  hasty = await startServer(
    app.shop.handler,
    { port: 0, host: "127.0.0.1" },
    { request: 150, answer: 10_000, idle: 10_000 },
  );
  await app.make.admin({ email: "ada@example.com", password: "the password of Ada" });
  const product = await app.make.product();
  const { id: categoryId } = await app.make.category();
  const order = {
    customerEmail: "ada@example.com",
    items: [{ productId: product.id, quantity: 1 }],
  };
  const query = "{ categories { id } }";
  const change = { isActive: true };
  calls = {
    "POST /auth/login": { body: { email: "ada@example.com", password: "the password of Ada" } },
    "POST /categories": { body: { name: "Oolong" } },
    "PATCH /categories/{id}": { path: `/categories/${categoryId}`, body: change },
    "DELETE /categories/{id}": { path: `/categories/${(await app.make.category()).id}` },
    "POST /products": { body: { name: "Oolong", price: "1", categoryId } },
    "GET /products/category/{categoryId}": { path: `/products/category/${categoryId}` },
    "GET /products/{id}": { path: `/products/${product.id}` },
    "DELETE /products/{id}": { path: `/products/${(await app.make.product()).id}` },
    "PATCH /products/{id}/status": { path: `/products/${product.id}/status`, body: change },
    "POST /orders": { body: order },
    "GET /graphql": { path: `/graphql?query=${encodeURIComponent(query)}` },
    "POST /graphql": { body: { query } },
  };
});
afterAll(async () => {
  await Promise.all([shop.drain(), hasty.drain()]);
  await app.close();
});

const operations = Object.entries(openapi.paths).flatMap(([template, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${template}`),
);

const partsOf = (operation: string): [method: string, path: string] => {
  const [method = "", template = ""] = operation.split(" ");
  return [method, calls[operation]?.path ?? template];
};

/**
 * Calls an operation as an administrator, with a request that differs from the usual one in some points;
 * `http` checks the answer.
 */
async function call(
  operation: string,
  { path, headers = {}, body = calls[operation]?.body }: Sent = {},
  { http } = app,
): Promise<string | undefined> {
  const [method, usual] = partsOf(operation);
  const request = http[method.toLowerCase() as "get"](path ?? usual)
    .redirects(0)
    .set({
      authorization: app.asAdmin,
      ...(body && { "content-type": "application/json" }),
      ...headers,
    });
  const answer = await (body ? request.send(JSON.stringify(body)) : request);
  provoked.add(`${operation} ${answer.status}`);
  return answer.headers.etag;
}

/** Sends bytes after the line that names the operation, after which the connection must be closed. */
async function sendBytes(operation: string, bytes: string, { address } = shop): Promise<void> {
  const [method, path] = partsOf(operation);
  const received = await exchange(address, `${method} ${path} HTTP/1.1\r\n${bytes}`);
  const [head = "", text = ""] = received.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const status = Number(line.split(" ")[1]);
  const headers = Object.fromEntries(
    fields.map((field): [string, string] => {
      const [name = "", value = ""] = field.split(": ");
      return [name.toLowerCase(), value];
    }),
  );
  expectDocumented({ method, path, status, headers, text });
  provoked.add(`${operation} ${status}`);
}

const large = "a".repeat(20_000);

const onEach = (act: (operation: string) => Promise<unknown>): Promise<unknown> =>
  Promise.all(operations.map(act));

/** Ways to get every status that the document has, in an order in which none hinders the next. */
const provocations: Record<string, () => Promise<unknown>> = {
  "a good request": () => onEach((operation) => call(operation)),
  "no host": () => onEach((operation) => sendBytes(operation, "Connection: close\r\n\r\n")),
  "an unknown expectation": () =>
    onEach((operation) =>
      sendBytes(operation, "Host: shop\r\nConnection: close\r\nExpect: tea\r\n\r\n"),
    ),
  "a head that is too large": () =>
    onEach((operation) => sendBytes(operation, `Host: shop\r\nX: ${large}\r\n\r\n`)),
  "a head that does not end": () =>
    onEach((operation) => sendBytes(operation, "Host: shop\r\n", hasty)),
  "too large an extension of a chunk": () =>
    onEach((operation) =>
      sendBytes(
        operation,
        `Host: shop\r\nTransfer-Encoding: chunked\r\n\r\n2;${large}\r\n{}\r\n0\r\n\r\n`,
      ),
    ),
  "a body that is no JSON": () =>
    onEach((operation) => call(operation, { headers: { "content-type": "text/plain" } })),
  "no token": () => onEach((operation) => call(operation, { headers: { authorization: "" } })),
  "a token of another role": async () => {
    const clerk = await app.make.admin({ role: "CLERK" });
    const authorization = `Bearer ${tokenFor(clerk, app.settings.tokens.secret)}`;
    await onEach((operation) => call(operation, { headers: { authorization } }));
  },
  "an unknown id": () =>
    onEach((operation) =>
      call(operation, { path: operation.split(" ")[1]!.replace(/\{\w+\}/, "999") }),
    ),
  "what the client has": () =>
    onEach(async (operation) => {
      const etag = operation.startsWith("GET") ? await call(operation) : undefined;
      if (etag !== undefined) await call(operation, { headers: { "if-none-match": etag } });
    }),
  "what contradicts what is stored": async () => {
    const { slug } = await app.make.category();
    const product = await app.make.product();
    const { body } = calls["POST /products"]!;
    const order = await app.make.order();
    await app.make.orderItem({ order_id: order.id, product_id: product.id });
    await call("POST /categories", { body: { name: "A", slug } });
    await call("PATCH /categories/{id}", { body: { slug } });
    await call("DELETE /categories/{id}", { path: `/categories/${product.category_id}` });
    await call("POST /products", { body: { ...body, slug: product.slug } });
    await call("DELETE /products/{id}", { path: `/products/${product.id}` });
    await call("POST /orders", { headers: { "expected-total": "0.01" } });
  },
  "a key that was used": async () => {
    const headers = { "idempotency-key": "one" };
    await call("POST /orders", { headers });
    const body = { ...calls["POST /orders"]!.body, customerEmail: "eve@example.com" };
    await call("POST /orders", { headers, body });
  },
  "what GraphQL takes by POST alone": () =>
    call("GET /graphql", { path: "/graphql?query=mutation{deleteProduct(id:1){id}}" }),
  "a type that GraphQL does not have": async () => {
    for (const operation of ["GET /graphql", "POST /graphql"])
      await call(operation, { headers: { accept: "image/png" } });
  },
  "a browser at GraphQL": () =>
    call("GET /graphql", { path: "/graphql", headers: { accept: "text/html" } }),
  "more than the limits allow": () =>
    beside({ rateLimits: { orders: 1 }, login: { failureLimit: 1 } }, async (limited) => {
      const body = { email: "ada@example.com", password: "a wrong password" };
      for (const _ of [1, 2]) {
        await call("POST /orders", {}, limited);
        await call("POST /auth/login", { body }, limited);
      }
    }),
  "pages that are off": () =>
    beside({ explorer: false }, (without) => onEach((operation) => call(operation, {}, without))),
  "a database that is away": async () => {
    // GraphQL asks the database whether answers that it has kept still hold.
    for (const operation of ["GET /graphql", "POST /graphql"]) await call(operation);
    await administrate(`ALTER DATABASE ${app.database.name} ALLOW_CONNECTIONS false`);
    await endConnections(app.database);
    await onEach((operation) => call(operation));
    await administrate(`ALTER DATABASE ${app.database.name} ALLOW_CONNECTIONS true`);
  },
  "tables that are gone": async () => {
    for (const operation of ["GET /graphql", "POST /graphql"]) await call(operation);
    await app.sql("DROP TABLE products, categories, orders, catalogue_state CASCADE");
    await onEach((operation) => call(operation));
    await app.sql("DROP TABLE admins CASCADE");
    await call("POST /auth/login");
  },
};

/** Runs another service of the shop, with other settings, while `use` lasts. */
async function beside(
  overrides: Overrides,
  use: (other: TestApp) => Promise<unknown>,
): Promise<void> {
  const other = await startReplica(app, overrides);
  try {
    await use(other);
  } finally {
    await other.close();
  }
}

test.each(Object.entries(provocations))("%s is answered as the document says", (_label, provoke) =>
  provoke(),
);

test("every status that the document has for an operation was answered", () => {
  const documented = Object.entries(openapi.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${template} ${status}`),
    ),
  );
  expect(documented.filter((pair) => !provoked.has(pair))).toEqual([]);
});
