import { Client } from "pg";
import { startReplica, useApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { parsedLog } from "../support/log-lines";
import { waitingForLocks } from "../support/locks";
import { exchange, send, sendJson } from "../support/raw-http";
import { seriesIn } from "./series";

jest.setTimeout(60_000);

const app = useApp({
  metrics: { port: 0 },
  database: { poolSize: 2, queueLimit: 1 },
  login: { failureLimit: 2 },
  catalogue: { cache: false },
});

const series = async () => seriesIn(await app.metrics());

test("placed orders count with their value, repeated and refused ones don't", async () => {
  const { id } = await app.make.product({ price: "12.50" });
  const order = (quantity: number, headers = {}) =>
    sendJson(
      app.url,
      "POST",
      "/orders",
      JSON.stringify({ customerEmail: "ada@example.com", items: [{ productId: id, quantity }] }),
      headers,
    );
  await order(2);
  await order(1, { "idempotency-key": "once" });
  await order(1, { "idempotency-key": "once" });
  await order(0);
  const counted = await series();
  expect(counted.get("tea_orders_placed_total")).toBe(2);
  expect(counted.get("tea_orders_value_total")).toBe(37.5);
});

test("of each sequence, the share of its numbers that is used is shown", async () => {
  await app.sql("SELECT setval('products_id_seq', 1073741824)");
  const shown = await eventually(async () => {
    const all = await series();
    const shareOf = (table: string) =>
      all.get(`tea_database_sequence_used_ratio{sequence="${table}_id_seq"}`) ?? 0;
    return shareOf("products") > 0.4 && [shareOf("products"), shareOf("categories")];
  });
  expect(shown).toEqual([expect.closeTo(0.5), expect.closeTo(0)]);
});

test("logins count by their end, with the wait of those that had their turn", async () => {
  const { email: known } = await app.make.admin();
  const began = performance.now();
  const login = (password: string, email = known) =>
    sendJson(app.url, "POST", "/auth/login", JSON.stringify({ email, password }));
  await login(PASSWORD);
  for (const password of ["wrong", "wrong", "blocked"]) await login(password);
  for (let round = 1; round <= 4; round += 1) {
    // One of the two waits for the other.
    await Promise.all(["ada", "bob"].map((name) => login("wrong", `${name}-${round}@example.com`)));
  }
  const counted = await series();
  const ended = (end: string) => counted.get(`tea_logins_total{end="${end}"}`);
  expect([ended("succeeded"), ended("failed"), ended("blocked")]).toEqual([1, 10, 1]);
  expect(counted.get("tea_login_wait_seconds_count")).toBe(12);
  // No two waited longer than all of it took: seconds, not milliseconds.
  const waited = counted.get("tea_login_wait_seconds_sum");
  expect(waited).toBeGreaterThan(0);
  expect(waited).toBeLessThan((2 * (performance.now() - began)) / 1000);
});

test("statements count by name or kind, failed ones too", async () => {
  const duration = (counted: Map<string, number>, statement: string) =>
    counted.get(`tea_database_statement_duration_seconds_count{statement="${statement}"}`) ?? 0;
  const before = await series();
  await send(app.url, { method: "GET", path: "/categories" });
  const after = await series();
  expect(duration(after, "categories")).toBe(duration(before, "categories") + 1);
  await app.sql("ALTER TABLE categories RENAME TO gone");
  expect((await send(app.url, { method: "GET", path: "/categories" })).status).toBe(500);
  await app.sql("ALTER TABLE gone RENAME TO categories");
  const errors = async () =>
    (await series()).get('tea_database_statement_errors_total{statement="categories"}');
  // The statement ends after its error, which the answer does not wait for.
  await eventually(async () => (await errors()) === 1);
  // Later ones of the same connection are no failures.
  const read = () => send(app.url, { method: "GET", path: "/categories" });
  const statuses = [read(), read()].map(async (answer) => (await answer).status);
  expect(await Promise.all(statuses)).toEqual([200, 200]);
  expect(await errors()).toBe(1);
});

test("the pool shows what is in use, who waits, and who was refused, with the reason of each 503", async () => {
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE products");
  let page = 0; // requests for the same page would share a read
  const read = () => send(app.url, { method: "GET", path: `/products?page=${(page += 1)}` });
  const reads = [read(), read()];
  await eventually(async () => (await waitingForLocks(app)) === 2);
  reads.push(read());
  await eventually(async () => (await series()).get("tea_database_requests_waiting") === 1);
  expect((await read()).status).toBe(503);
  const graphql = '{"query":"{ categories { id } }"}';
  expect((await sendJson(app.url, "POST", "/graphql", graphql)).status).toBe(503);
  const counted = await series();
  expect(counted.get("tea_database_connections_max")).toBe(2);
  expect(counted.get("tea_database_connections_in_use")).toBe(2);
  expect(counted.get("tea_database_requests_refused_total")).toBe(2);
  expect(counted.get('tea_unavailable_total{reason="connections"}')).toBe(2);
  await holder.query("ROLLBACK");
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200]);
  await holder.end();
  const later = await series();
  expect(later.get("tea_database_connections_in_use")).toBe(0);
  expect(later.get("tea_database_requests_refused_total")).toBe(2);
});

test("Node's own metrics are there, with the delay of the event loop", async () => {
  const names = [...(await series()).keys()];
  expect(names).toEqual(
    expect.arrayContaining([
      "nodejs_eventloop_lag_p99_seconds",
      "nodejs_eventloop_lag_max_seconds",
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
    ]),
  );
});

describe("a TRUST_PROXY that does not fit", () => {
  const HALF = 500;
  const warnings = ({ log }: TestApp) => log.filter((line) => line.includes("TRUST_PROXY is"));

  /** Sends so many requests with this header, all at once. */
  const sendAll = async (to: TestApp, count: number, header = "", path = "/nothing") => {
    const request = `GET ${path} HTTP/1.1\r\nHost: shop\r\n${header}`;
    await exchange(
      to.url,
      `${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`,
    );
  };

  test.each([
    [0, "X-Forwarded-For: 192.0.2.1\r\n", "", "have X-Forwarded-For"],
    [
      2,
      "X-Forwarded-For: 192.0.2.1\r\n",
      "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2, 192.0.2.3\r\n",
      "have fewer X-Forwarded-For entries",
    ],
    [
      1,
      "",
      "X-Forwarded-For: 192.0.2.1\r\n", // as many as there are proxies
      "have fewer X-Forwarded-For entries",
    ],
  ])("is told once, and in the metrics: %i", async (trustProxy, wrong, right, what) => {
    const shop = await startReplica(app, { http: { ...app.settings.http, trustProxy } });
    const shown = async () => seriesIn(await shop.metrics()).get("tea_trust_proxy_unfit");
    await sendAll(shop, 2 * HALF, wrong, "/health/live");
    await sendAll(shop, HALF, wrong);
    await sendAll(shop, HALF, right);
    expect([warnings(shop), await shown()]).toEqual([[], 0]);
    await sendAll(shop, HALF + 1, wrong);
    await sendAll(shop, HALF - 1, right);
    const warning = `TRUST_PROXY is ${trustProxy}, but most of the last 1000 requests ${what}`;
    expect(parsedLog(warnings(shop))).toEqual([
      expect.objectContaining({ level: "warn", msg: warning }),
    ]);
    expect(await shown()).toBe(1);
    await sendAll(shop, 2 * HALF, right);
    expect(await shown()).toBe(0);
    await sendAll(shop, 2 * HALF, wrong);
    expect([warnings(shop).length, await shown()]).toEqual([1, 1]);
    await shop.close();
  });
});
