/** @check */

import { Client } from "pg";
import { startApp, startReplica, type TestApp } from "../support/app";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { isRequestLine, parsedLog, type LogLine } from "../support/log-lines";
import { send, sendJson } from "../support/raw-http";
import { auditOrders, newOrder, NOTHING_WRONG, place, placeUntilAcknowledged } from "./orders";
import { startOwnServer, type OwnServer } from "./own-server";
import { errorBody } from "../support/refusals";
import { startService } from "../support/service";

const TURNS = 300;
const POOL_SIZE = 30;

let server: OwnServer;
let app: TestApp;
let productId: number;
beforeAll(async () => {
  server = await startOwnServer();
  app = await startApp({ database: { url: server.url, acquireTimeout: 1_000 } });
  productId = (await app.make.product()).id;
});
afterAll(async () => {
  await app.close();
  await server.remove();
});

const get = (path: string) => send(app.url, { method: "GET", path });
const login = () =>
  sendJson(app.url, "POST", "/auth/login", '{"email":"nobody@example.com","password":"none"}');

const UNAVAILABLE = {
  status: 503,
  headers: expect.objectContaining({ "retry-after": "1" }),
  body: errorBody(503),
};

async function expectUnavailable(): Promise<void> {
  const [live, ...others] = await Promise.all([
    get("/health/live"),
    get("/health/ready"),
    get("/products"),
    get("/products/1"),
    place(app.url, newOrder(productId)),
    login(),
  ]);
  expect(live.status).toBe(200);
  for (const answer of others) expect(answer).toMatchObject(UNAVAILABLE);
  const graphql = await sendJson(app.url, "POST", "/graphql", '{"query":"{ categories { id } }"}');
  expect(graphql.body).toMatchObject({
    errors: [{ extensions: { code: "SERVICE_UNAVAILABLE", http: { statusCode: 503 } } }],
  });
}

/** Those that wait for their turn are refused together: one after another, the last would wait for long. */
async function expectUnavailableTogether(): Promise<void> {
  const order = newOrder(productId);
  const answers = await Promise.all(Array.from({ length: TURNS }, () => place(app.url, order)));
  for (const answer of answers) expect(answer).toMatchObject(UNAVAILABLE);
}

/** What the service has logged of itself after so many lines. */
const linesOfItself = (after: number): LogLine[] =>
  parsedLog(app.log.slice(after)).filter((line) => line.level !== "debug" && !isRequestLine(line));

/** What the log says of a database that was away once, however many requests failed. */
const AWAY_AND_BACK = [
  expect.objectContaining({
    level: "warn",
    msg: "the database is away",
    reason: expect.any(String),
    err: expect.objectContaining({ message: expect.any(String) }),
  }),
  expect.objectContaining({
    level: "info",
    msg: "the database is back",
    milliseconds: expect.any(Number),
  }),
];

/** Whether the service has noticed that its database is back: until then it takes failures for those of one away. */
function isBack(): boolean {
  const said = parsedLog(app.log).map(({ msg }) => msg);
  return said.lastIndexOf("the database is back") >= said.lastIndexOf("the database is away");
}

async function expectGood(): Promise<void> {
  await eventually(async () => (await get("/health/ready")).status === 200 && isBack());
  const answers = [await get("/products"), await place(app.url, newOrder(productId))];
  expect(answers.map(({ status }) => status)).toEqual([200, 201]);
}

test("a frozen database is answered for with 503, and forgotten when it goes on", async () => {
  await expectGood();
  const logged = app.log.length;
  await server.freeze();
  try {
    await expectUnavailable(); // on connections that were open
    await expectUnavailable(); // on new ones
    await expectUnavailableTogether();
  } finally {
    await server.thaw();
  }
  await expectGood();
  expect(linesOfItself(logged)).toEqual(AWAY_AND_BACK);
});

test("a service with many connections ends in order while its database is frozen", async () => {
  const service = await startService(server.url, { DATABASE_POOL_SIZE: String(POOL_SIZE) });
  const reads = Array.from({ length: 2 * POOL_SIZE }, () =>
    send(service.url, { method: "GET", path: "/products" }),
  );
  expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
  await server.freeze();
  try {
    service.signal("SIGTERM");
    expect(await service.ended).toEqual({ code: 0, signal: null });
  } finally {
    await server.thaw();
  }
});

test("a database that became read-only answers reads, and refuses orders with 503", async () => {
  const { pathname } = new URL(server.url);
  const database = `ALTER DATABASE "${pathname.slice(1)}"`;
  await query(server.url, `${database} SET default_transaction_read_only = on`);
  const reconnected = await startReplica(app);
  const order = newOrder(productId);
  expect(await place(reconnected.url, order)).toMatchObject(UNAVAILABLE);
  expect((await send(reconnected.url, { method: "GET", path: "/products" })).status).toBe(200);
  await reconnected.close();
  await query(
    server.url,
    `BEGIN READ WRITE; ${database} RESET default_transaction_read_only; COMMIT`,
  );
  expect((await place(app.url, order)).status).toBe(201);
});

test("a crashed database is answered for with 503, and orders survive it", async () => {
  const acknowledged: number[] = [];
  const logged = app.log.length;
  const orders = Array.from({ length: 40 }, async () => {
    acknowledged.push(await placeUntilAcknowledged(app.url, newOrder(productId)));
  });
  await Promise.race(orders);
  await server.crash();
  await expectUnavailable();
  await server.restart();
  await Promise.all(orders);
  await expectGood();
  expect(await auditOrders(server.url, acknowledged)).toEqual(NOTHING_WRONG);
  expect(linesOfItself(logged)).toEqual(AWAY_AND_BACK);
});

test("an order whose session is ended half-way is answered 503 and stored once when repeated", async () => {
  const order = newOrder(productId);
  const holder = new Client({ connectionString: server.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM products WHERE id = $1 FOR UPDATE", [productId]);
  const logged = app.log.length;
  const cut = place(app.url, order);
  const waiting = () =>
    query<{ pid: number }>(
      server.url,
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'tea-shop'",
    );
  await eventually(async () => (await waiting()).length === 1);
  const [{ pid } = { pid: 0 }] = await waiting();
  await query(server.url, "SELECT pg_terminate_backend($1)", [pid]);
  const { headers } = await cut;
  expect(await cut).toMatchObject(UNAVAILABLE);
  await holder.query("ROLLBACK");
  await holder.end();
  const repeated = await place(app.url, order);
  expect([repeated.status, repeated.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  expect(await auditOrders(server.url, [])).toEqual(NOTHING_WRONG);
  // The line is written when the service has found that the database is not away.
  await eventually(() => linesOfItself(logged).length > 0);
  expect(linesOfItself(logged)).toEqual([
    expect.objectContaining({
      level: "error",
      msg: "the database did not answer",
      id: headers["x-request-id"],
      operation: "placeOrder",
      err: expect.objectContaining({ code: "57P01", statement: expect.any(String) }),
    }),
  ]);
});

test("a database without room answers reads, refuses orders with 503, and stores them once there is room", async () => {
  const outcomes = async (order = newOrder(productId)) => [
    await place(app.url, order),
    await get("/products"),
  ];
  // PostgreSQL's own refusal of a write, raised where a full disk would raise it.
  await query(
    server.url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
  );
  await query(
    server.url,
    "CREATE TRIGGER full_disk BEFORE INSERT ON order_items EXECUTE FUNCTION refuse()",
  );
  const order = newOrder(productId);
  const [refused, read] = await outcomes(order);
  await query(server.url, "DROP FUNCTION refuse CASCADE");
  expect(refused).toMatchObject(UNAVAILABLE);
  expect(read?.status).toBe(200);
  expect((await outcomes(order)).map(({ status }) => status)).toEqual([201, 200]);
  expect(await auditOrders(server.url, [])).toEqual(NOTHING_WRONG);
});
