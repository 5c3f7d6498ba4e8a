import { ServerResponse } from "node:http";
import { startApp, startReplica, useApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";
import { parsedLog, searchLog, type LogLine } from "../support/log-lines";
import { exchange, send, sendJson, type Answer } from "../support/raw-http";
import { tokenFor } from "../support/tokens";

const CUSTOMER = "otto.customer@shop.example.org";

/** The address that requests of this file come from. */
const CLIENT = "127.0.0.1";

let productId: number;
const app = useApp();
beforeAll(async () => {
  productId = (await app.make.product()).id;
});

const idOf = ({ headers }: Answer): string => String(headers["x-request-id"]);

const graphql = (query: string, headers = {}): Promise<Answer> =>
  sendJson(app.url, "POST", "/graphql", JSON.stringify({ query }), headers);

const get = (path: string, headers = {}): Promise<Answer> =>
  send(app.url, { method: "GET", path, headers });

const post = (path: string, body: object, headers = {}): Promise<Answer> =>
  sendJson(app.url, "POST", path, JSON.stringify(body), headers);

const order = (id = productId, headers = {}): Promise<Answer> =>
  post("/orders", { customerEmail: CUSTOMER, items: [{ productId: id, quantity: 1 }] }, headers);

/** Runs `work` while the tables lack a column. */
async function without<T>(table: string, column: string, work: () => Promise<T>): Promise<T> {
  await app.sql(`ALTER TABLE ${table} RENAME COLUMN ${column} TO gone`);
  try {
    return await work();
  } finally {
    await app.sql(`ALTER TABLE ${table} RENAME COLUMN gone TO ${column}`);
  }
}

/** The header of a token that the service might have issued. */
const bearing = (admin: object, claims: object = {}) => {
  const of = { id: 1, email: CUSTOMER, role: "ADMIN", ...admin };
  return { authorization: `Bearer ${tokenFor(of, app.settings.tokens.secret, claims)}` };
};

const faultIn = (lines: readonly LogLine[]): LogLine | undefined =>
  lines.find(({ level }) => level === "error");

describe("a broken column in a running service: one search for the request's id finds why", () => {
  test("at REST", async () => {
    const answer = await without("products", "description", () => get(`/products/${productId}`));
    expect(answer.status).toBe(500);
    const lines = await searchLog(app, idOf(answer));
    expect(lines).toHaveLength(2);
    const { operation, err } = faultIn(lines)!;
    expect(operation).toBe("product");
    expect(err!.code).toBe("42703");
    expect(err!.statement).toMatch(/^SELECT .*"description".* FROM products WHERE id = ANY\(\$1\)/);
    expect(err!.stack).toContain("services/catalogue/");
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "info",
        method: "GET",
        path: `/products/${productId}`,
        operation: "product",
        status: 500,
      }),
    );
    expect(lines.find(({ status }) => status === 500)).not.toHaveProperty("err");
  });

  test("at GraphQL", async () => {
    const answer = await without("products", "description", () =>
      graphql(`query TeaPage { tea: product(id: ${productId}) { name description } }`),
    );
    const lines = await searchLog(app, idOf(answer));
    expect(lines).toHaveLength(2);
    const fault = faultIn(lines)!;
    expect(fault).toMatchObject({
      operation: "TeaPage",
      code: "INTERNAL_SERVER_ERROR",
      path: "tea",
      err: { code: "42703", statement: expect.stringContaining("$1") },
    });
    expect(fault.err!.stack).toContain("services/catalogue/");
    expect(lines).toContainEqual(
      expect.objectContaining({ path: "/graphql", operation: "TeaPage", status: 200 }),
    );
  });

  test("where Sequelize wrote the statement, whose values are not shown", async () => {
    const again = () => order(987_654, { "idempotency-key": "under-this-key" });
    const answer = await without("idempotency_keys", "fingerprint", again);
    expect(answer.status).toBe(500);
    const lines = await searchLog(app, idOf(answer));
    const { err } = faultIn(lines)!;
    expect(err!.statement).toContain("idempotency_keys");
    expect(JSON.stringify(lines)).not.toMatch(/under-this-key|987654|otto/);
  });
});

test("a fault of one request is logged once, however many rows it concerns", async () => {
  for (let count = 0; count < 12; count += 1) expect((await order()).status).toBe(201);
  const answer = await without("products", "description", () =>
    graphql("query Rows { orders(pageSize: 50) { data { items { product { name } } } } }", {
      authorization: app.asAdmin,
    }),
  );
  const errors = (await searchLog(app, idOf(answer))).filter(({ level }) => level === "error");
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({
    operation: "Rows",
    code: "INTERNAL_SERVER_ERROR",
    path: expect.stringMatching(/^orders\.data\.\d+\.items\.\d+\.product$/),
  });
});

test("requests that share a failed statement each find it under their own id", async () => {
  const answers = await without("products", "description", () =>
    Promise.all(Array.from({ length: 10 }, () => get("/products"))),
  );
  for (const answer of answers) {
    const { err } = faultIn(await searchLog(app, idOf(answer)))!;
    expect(err!.statement).toContain("FROM products");
  }
});

test("what PostgreSQL tells of a row stays out of the log", async () => {
  await app.sql("ALTER TABLE order_items ADD CONSTRAINT few CHECK (quantity < 1) NOT VALID");
  const answer = await order();
  await app.sql("ALTER TABLE order_items DROP CONSTRAINT few");
  expect(answer.status).toBe(500);
  const lines = await searchLog(app, idOf(answer));
  expect(faultIn(lines)!.err).toMatchObject({ code: "23514" });
  expect(JSON.stringify(lines)).not.toMatch(/Failing row|PL\/pgSQL|otto/);
});

test("a statement that the database refuses is an error of the request, though it may succeed later", async () => {
  await app.sql(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
  );
  await app.sql("CREATE TRIGGER full_disk BEFORE INSERT ON orders EXECUTE FUNCTION refuse()");
  const answer = await order();
  await app.sql("DROP FUNCTION refuse CASCADE");
  expect(answer.status).toBe(503);
  const fault = faultIn(await searchLog(app, idOf(answer)));
  expect(fault).toMatchObject({
    msg: "the database did not answer",
    operation: "placeOrder",
    err: { code: "53100", statement: expect.stringContaining("INSERT INTO orders") },
  });
});

/** Runs `work` beside a shop whose one connection waits for a lock. */
async function besideBusyShop(database: object, work: (busy: TestApp) => Promise<void>) {
  const busy = await startApp({
    database: { poolSize: 1, ...database },
    catalogue: { cache: false },
  });
  const read = async (path: string) => (await send(busy.url, { method: "GET", path })).status;
  // Its connection is open before it counts: to open one may take longer than the time-out.
  await eventually(async () => (await read("/products")) === 200);
  await besideLock(busy, "LOCK TABLE categories", async (holder) => {
    const first = read("/categories");
    await eventually(async () => (await waitingForLocks(busy)) === 1);
    await work(busy);
    await holder.query("COMMIT");
    expect(await first).toBe(200);
  });
  await busy.close();
}

test("a request that waited for a connection in vain says so under its id", () =>
  besideBusyShop({ acquireTimeout: 100 }, async (busy) => {
    const refused = await send(busy.url, { method: "GET", path: "/products" });
    expect(refused.status).toBe(503);
    const fault = async () => faultIn(await searchLog(busy, idOf(refused)));
    expect(await eventually(fault)).toMatchObject({
      operation: "products",
      err: { type: "SequelizeConnectionAcquireTimeoutError" },
    });
    expect(parsedLog(busy.log).map(({ msg }) => msg)).not.toContain("the database is away");
  }));

test("the line of a request that is refused under overload names the operation at REST", () =>
  besideBusyShop({ queueLimit: 0 }, async (busy) => {
    for (const operation of ["products", "orders"]) {
      const headers = { authorization: busy.asAdmin };
      const refused = await send(busy.url, { method: "GET", path: `/${operation}`, headers });
      expect(refused.status).toBe(503);
      expect(await searchLog(busy, idOf(refused))).toEqual([
        expect.objectContaining({ msg: "answered", operation, status: 503 }),
      ]);
    }
    const body = JSON.stringify({ query: "query Teas { products { data { id } } }" });
    const refused = await sendJson(busy.url, "POST", "/graphql", body);
    expect(refused.status).toBe(503);
    const [line] = await searchLog(busy, idOf(refused));
    expect(line).not.toHaveProperty("operation"); // it refuses before it reads the document
  }));

const long = "a".repeat(100);

test.each([
  ["its own", "query Teas { products { data { id } } }", "Teas"],
  [
    "its fields'",
    "{ shown: products { data { id } } category(id: 1) { id } }",
    "products,category",
  ],
  ["cut where it is long", `query ${long.repeat(50)} { products { data { id } } }`, long],
])("the line of a GraphQL request has the operation's name: %s", async (_, query, operation) => {
  // The second answer is a kept one, for which nothing is parsed.
  for (const turn of ["read", "kept"]) {
    const [line] = await searchLog(app, idOf(await graphql(query)));
    expect([turn, line]).toEqual([turn, expect.objectContaining({ path: "/graphql", operation })]);
  }
});

/** A refusal whose line has the client's address. */
const told = (status: number, reason: string) => ({ status, reason, client: CLIENT });

test.each<[string, () => Promise<Answer>, object]>([
  ["no token", () => get("/orders"), told(401, "no token")],
  ["none", () => get("/orders", { authorization: "Bearer x" }), told(401, "token not valid")],
  ["an old token", () => get("/orders", bearing({}, { exp: 1 })), told(401, "token expired")],
  ["another role", () => get("/orders", bearing({ role: "x" })), told(403, "role not allowed")],
  ["a gone account", () => get("/orders", bearing({ id: 4711 })), told(401, "account not active")],
  [
    "input",
    () => post("/orders", { customerEmail: 1, items: [] }),
    { status: 400, reason: expect.stringContaining("customerEmail must be an email; items") },
  ],
  [
    "a name that a client chose",
    () => post("/auth/login", { "geheim should": 1 }),
    { status: 400, reason: expect.stringContaining("property … should not exist; ") },
  ],
  ["no route", () => get("/geheim"), { status: 404, reason: "no such route" }],
  [
    "no token at GraphQL",
    () => graphql("{ orders { meta { total } } }"),
    { ...told(200, "no token"), code: "UNAUTHENTICATED" },
  ],
  [
    "a gone account at GraphQL, behind another error",
    () => graphql("{ category { id } order(id: 1) { id } }", bearing({ id: 4711 })),
    { ...told(200, "exactly one of id and slug must be given"), code: "BAD_USER_INPUT" },
  ],
  [
    "a field that is not there",
    () => graphql("{ geheim }"),
    { status: 200, code: "GRAPHQL_VALIDATION_FAILED", reason: "Cannot query field …" },
  ],
  [
    "a value of a wrong type",
    () => graphql("mutation { login(input: { email: 1, password: 4711 }) { accessToken } }"),
    { code: "GRAPHQL_VALIDATION_FAILED", reason: "String cannot represent a non string value: …" },
  ],
])("the line of a refused request says why: %s", async (_, request, expected) => {
  const [line] = await searchLog(app, idOf(await request()));
  expect(line).toMatchObject(expected);
  const { id: _id, operation: _operation, path: _path, ...rest } = line!;
  expect(JSON.stringify(rest)).not.toMatch(/geheim|4711/);
  if (!("client" in expected)) expect(line).not.toHaveProperty("client");
});

test.each<[string, () => Promise<Answer>]>([
  ["REST", () => get("/orders", { authorization: app.asAdmin })],
  ["GraphQL", () => graphql("{ orders { meta { total } } }", { authorization: app.asAdmin })],
])("the line of a request has the administrator whose token was accepted: %s", async (_, ask) => {
  const [line] = await searchLog(app, idOf(await ask()));
  const [admin] = await app.sql<{ id: number }>("SELECT id FROM admins");
  expect(line).toMatchObject({ status: 200, administrator: admin!.id });
  for (const member of ["code", "reason", "client"]) expect(line).not.toHaveProperty(member);
});

test("the line of a refusal has the address of a client that closes its connection at once", async () => {
  const end = jest.spyOn(ServerResponse.prototype, "end");
  const real = end.getMockImplementation()!;
  end.mockImplementationOnce(function (this: ServerResponse, ...given) {
    const { socket } = this;
    real.apply(this, given);
    socket?.destroy();
    return this;
  });
  try {
    // A connection of its own, of which no earlier request has asked the address.
    const gone = "GET /orders HTTP/1.1\r\nHost: shop\r\nX-Request-Id: gone\r\n\r\n";
    await exchange(app.url, gone).catch(() => undefined);
  } finally {
    end.mockRestore();
  }
  const [line] = await searchLog(app, "gone");
  expect(line).toMatchObject({ status: 401, reason: "no token", client: CLIENT });
});

test("a refusal of many requests has id, operation and, if it is wanted, the client's address", async () => {
  const body = JSON.stringify({ customerEmail: CUSTOMER, items: [] });
  const from = { "x-forwarded-for": "198.51.100.7" };
  for (const clientAddress of [true, false]) {
    const limited = await startReplica(app, {
      rateLimits: { orders: 1, newsletter: 1 },
      http: { trustProxy: 1 },
      log: { clientAddress },
    });
    await sendJson(limited.url, "POST", "/orders", body, from);
    const refused = await sendJson(limited.url, "POST", "/orders", body, from);
    expect(refused.status).toBe(429);
    const [line] = await searchLog(limited, idOf(refused));
    expect(line).toMatchObject({ operation: "placeOrder", status: 429, reason: "limit of orders" });
    expect(line!.client).toBe(clientAddress ? "198.51.100.7" : undefined);
    await limited.close();
  }
});
