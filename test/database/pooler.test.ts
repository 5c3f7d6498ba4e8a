import { buildSchema } from "graphql";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Client, type PoolClient } from "pg";
import { connect } from "../../src/database/connection/pool";
import { inTransaction } from "../../src/database/statements/transaction";
import { execute } from "../graphql/client";
import { startApp, type TestApp } from "../support/app";
import { createDatabase, type TestDatabase } from "../support/database";
import { PASSWORD } from "../support/factories";
import { send, sendJson } from "../support/raw-http";
import { spawnService, startService } from "../support/service";
import { tea } from "../cli/terminal";
import { layersOf, routesOf } from "../security/served-operations";
import { startTransactionPooler, type TransactionPooler } from "../support/transaction-pooler";

let database: TestDatabase;
let pooler: TransactionPooler;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  await pooler.close();
  await database.drop();
});

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
    ["GET", "/health/ready", "/health/ready", undefined, 200],
  ];
}

/** Each field of Query and Mutation, some of them failing, with the error's code. */
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
  const login = (password: string) =>
    `mutation { login(input: { email: "${email}", password: "${password}" }) { accessToken } }`;
  const change = (current: string) =>
    `mutation { changePassword(currentPassword: "${current}", newPassword: "another horse") { accessToken } }`;
  return [
    ["{ categories { id products { data { id } meta { total } } } }"],
    [`{ category(slug: "${category.slug}") { id } }`],
    ["{ newsletterSubscribers { data { email } meta { total } } }"],
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
    [change("another password"), "BAD_USER_INPUT"],
    [change(PASSWORD)],
    ['mutation { createCategory(input: { name: "Green" }) { id } }'],
    [`mutation { updateCategory(id: ${category.id}, input: { name: "White" }) { id } }`],
    [`mutation { deleteCategory(id: ${product.category_id}) { id } }`, "CONFLICT"],
    [`mutation { deleteCategory(id: ${category.id}) { id } }`],
    ['mutation { subscribeToNewsletter(email: "new@example.com") }'],
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
    [`mutation { setProductStatus(id: ${product.id}, isActive: true) { id } }`],
    [`mutation { deleteProduct(id: ${product.id}) { id } }`, "CONFLICT"],
    [`mutation { deleteProduct(id: ${spare.id}) { id } }`],
  ];
}

/** What needs no database, and GraphQL's door, whose operations are called one by one. */
const OTHERS = [
  ...["GET /health/live", "GET /explorer", "GET /docs", "GET /", "GET /openapi.json"],
  ...["GET /graphql", "ALL /graphql"],
];

const POOLERS: [sessions: number, names: "refused" | "kept", namedStatements: boolean][] = [
  [3, "refused", false],
  [1, "refused", false],
  [3, "kept", true],
  [1, "kept", true],
];

describe.each(POOLERS)("behind a pooler of %i sessions with names %s", (sessions, names, on) => {
  let app: TestApp;

  beforeEach(async () => {
    pooler = await startTransactionPooler(database.url, { sessions, names });
    app = await startApp({
      database: { url: pooler.url, namedStatements: on },
      login: { failureLimit: 10, addressFailureLimit: 50 },
      rateLimits: { orders: 1000, newsletter: 1000 },
    });
  });

  afterEach(() => app.close());

  test("every operation of REST passes", async () => {
    const calls = await restCalls(app);
    for (const [method, , address, body, status] of calls) {
      const headers = { authorization: app.asAdmin };
      const answer = body
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

  test("the first administrator is created", async () => {
    await app.sql("DELETE FROM admins");
    const first = { email: "first@example.com", password: "long enough for one" };
    expect(await app.shop.services.accounts.ensureFirst(first)).toBe(true);
    expect(pooler.refused).toEqual([]);
  });
});

test("what counts failed logins is never named, with NAMED_STATEMENTS on either", async () => {
  pooler = await startTransactionPooler(database.url);
  const app = await startApp({ database: { url: pooler.url }, login: { failureLimit: 1 } });
  const { email } = await app.make.admin();
  const login = async (password: string): Promise<number> =>
    (await sendJson(app.url, "POST", "/auth/login", JSON.stringify({ email, password }))).status;
  expect([await login(PASSWORD), await login("wrong"), await login("wrong")]).toEqual([
    200, 400, 429,
  ]);
  expect(pooler.refused).toEqual([]);
  await app.close();
});

describe("a start", () => {
  test("serves, and ends in order, by one session that all share", async () => {
    pooler = await startTransactionPooler(database.url, { sessions: 1, names: "kept" });
    const service = await startService(pooler.url, { MIGRATION_DATABASE_URL: database.url });
    const ready = await send(service.url, { method: "GET", path: "/health/ready" });
    expect([ready.status, pooler.refused]).toEqual([200, []]);
    service.signal("SIGTERM");
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });

  test.each([1, 2])(
    "is refused where %i sessions mix up the names of statements",
    async (sessions) => {
      pooler = await startTransactionPooler(database.url, { sessions, names: "mixed up" });
      const settings = { MIGRATION_DATABASE_URL: database.url };
      const refused = spawnService(pooler.url, settings);
      expect((await refused.ended).code).toBe(1);
      expect(refused.printed("stderr")).toBe(
        "DATABASE_URL leads to a pooler that mixes up the prepared statements of its clients: set NAMED_STATEMENTS=off, or max_prepared_statements in PgBouncer 1.21 or later\n",
      );
    },
  );
});

test.each(["migrate up", "migrate down", "catalogue import - --format csv"])(
  "%s asks for a connection that leads to PostgreSQL itself",
  async (command) => {
    pooler = await startTransactionPooler(database.url);
    const environment = { DATABASE_URL: pooler.url };
    const { exitCode, stderr } = await tea(command, { environment, input: "slug\n" });
    expect([exitCode, stderr]).toEqual([
      1,
      "error: The connection goes through a pooler in transaction mode, which loses the lock of this command: set MIGRATION_DATABASE_URL to PostgreSQL itself\n",
    ]);
    expect(pooler.refused).toEqual([]);
  },
);

describe("a statement that is named", () => {
  const named = { name: "one", text: "SELECT $1::integer AS one", values: [1] };

  test.each([
    [true, "one"],
    [false, ""],
  ])("with NAMED_STATEMENTS %p arrives as '%s'", async (namedStatements, name) => {
    pooler = await startTransactionPooler(database.url, { names: "kept" });
    const sequelize = connect({ url: pooler.url, poolSize: 1, namedStatements });
    const { rows } = await inTransaction(sequelize, async (transaction) => {
      const { connection } = transaction as unknown as { connection: PoolClient };
      await connection.query(named);
      return connection.query<{ one: number }>(named);
    });
    expect(rows).toEqual([{ one: 1 }]);
    const arrived = pooler.parsed.filter(({ text }) => text === named.text);
    // pg parses a name once for a connection, and what has none each time.
    expect(arrived.map((each) => each.name)).toEqual(namedStatements ? [name] : [name, name]);
    await sequelize.close();
  });

  test("does not pass the pooler, nor does what changes the session", async () => {
    pooler = await startTransactionPooler(database.url);
    const refused = async (statement: string | typeof named, options?: string): Promise<void> => {
      const client = new Client({ connectionString: pooler.url, ...(options && { options }) });
      client.on("error", () => undefined);
      const work = client.connect().then(() => client.query(statement as string));
      await expect(work).rejects.toThrow();
    };
    await refused(named);
    await refused("SET lock_timeout = 1");
    await refused("SELECT 1; RESET ALL");
    await refused("SELECT pg_advisory_lock(1)");
    await refused("SELECT 1", "-c statement_timeout=1");
    expect(pooler.refused).toEqual(
      ["a statement named one", "SET", "RESET", "pg_advisory_lock", "parameter options"].map(
        (text) => expect.stringContaining(text) as string,
      ),
    );
  });
});
