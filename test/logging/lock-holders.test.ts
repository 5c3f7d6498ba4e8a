/** @check */
import { Client } from "pg";
import { takeImportLock } from "../../src/services/catalogue/import-export/import-catalogue";
import { Migrator } from "../../src/database/migrations/migrator";
import { withClient } from "../../src/database/connection/with-client";
import { lockHolderWatch } from "../../src/database/statements/lock-holders";
import { startApp, startReplica, useApp, type TestApp } from "../support/app";
import { administrate, nameInRun, query } from "../support/database";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { parsedLog, type LogLine } from "../support/log-lines";
import { sendJson, type Answer } from "../support/raw-http";

const app = useApp();
const [service, stranger] = [nameInRun(), nameInRun()];
const PASSWORD = "for a moment";

const as = (role: string): string => {
  const url = new URL(app.database.url);
  url.username = role;
  url.password = PASSWORD;
  return url.href;
};

let shop: TestApp;
beforeAll(async () => {
  for (const role of [service, stranger]) {
    await administrate(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  }
  await query(
    app.database.url,
    `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${service};
     GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${service};
     GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${service}`,
  );
  shop = await startReplica(app, { database: { url: as(service) } });
});
afterAll(() => shop.close());

/** A session in which statements have run, and its process. */
async function sessionOf(url: string, ...statements: string[]) {
  const client = new Client({ connectionString: url, application_name: "night report" });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  for (const statement of statements) await client.query(statement);
  return { client, pid: rows[0]!.pid };
}

const order = async (of: TestApp): Promise<Answer> => {
  const { id: productId } = await app.make.product();
  const items = [{ productId, quantity: 1 }];
  return sendJson(
    of.url,
    "POST",
    "/orders",
    JSON.stringify({ customerEmail: "ada@example.com", items }),
  );
};

const failureOf = (of: TestApp, { headers }: Answer): Promise<LogLine> =>
  eventually(() =>
    parsedLog(of.log).find(({ id, level }) => id === headers["x-request-id"] && level === "error"),
  );

/** All locks that orders share, each of which is that of some addresses. */
const ALL_CUSTOMERS =
  "SELECT count(pg_advisory_lock(7238004, n)) FROM generate_series(0, 255) AS n";

test("an order that fails because a role without any right holds its lock names that session", async () => {
  const { client, pid } = await sessionOf(as(stranger), ALL_CUSTOMERS);
  const answer = await order(shop);
  expect(answer.status).toBe(503);
  expect(await failureOf(shop, answer)).toMatchObject({
    msg: "the database did not answer",
    operation: "placeOrder",
    // A role without further rights does not see where other roles come from.
    lockHolders: [{ pid, role: stranger, application: "night report", address: null }],
  });
  await client.end();
  expect((await order(shop)).status).toBe(201);
});

test("a role that may read all statistics logs the address as well", async () => {
  await administrate(`GRANT pg_read_all_stats TO ${service}`);
  const other = await startReplica(shop);
  const { client, pid } = await sessionOf(as(stranger), ALL_CUSTOMERS);
  const answer = await order(other);
  expect((await failureOf(other, answer))["lockHolders"]).toEqual([
    { pid, role: stranger, application: "night report", address: "127.0.0.1" },
  ]);
  await client.end();
  await other.close();
  await administrate(`REVOKE pg_read_all_stats FROM ${service}`);
});

test("a change of a locked row names who has it, not who else waits for it", async () => {
  const busy = await startApp();
  const { id } = await busy.make.product();
  const lock = `SELECT FROM products WHERE id = ${id} FOR UPDATE`;
  const { client, pid } = await sessionOf(busy.database.url, "BEGIN", lock);
  const next = await sessionOf(busy.database.url);
  const waiting = next.client.query(lock);
  await eventually(async () => (await waitingForLocks(busy)) === 1);
  const answer = await sendJson(busy.url, "PATCH", `/products/${id}/status`, '{"isActive":false}', {
    authorization: busy.asAdmin,
  });
  expect(answer.status).toBe(503);
  expect((await failureOf(busy, answer))["lockHolders"]).toMatchObject([{ pid }]);
  await client.end();
  await waiting;
  await next.client.end();
  await busy.close();
});

test("a request that got no connection, since others wait for a lock, names its holder", async () => {
  const busy = await startReplica(app, {
    database: { poolSize: 1, acquireTimeout: 100 },
    catalogue: { cache: false },
  });
  const get = (path: string): Promise<Answer> => sendJson(busy.url, "GET", path, "");
  await eventually(async () => (await get("/products")).status === 200);
  const { client, pid } = await sessionOf(app.database.url, "BEGIN", "LOCK TABLE categories");
  const first = get("/categories");
  await eventually(async () => (await waitingForLocks(app)) === 1);
  const answer = await get("/products");
  expect((await failureOf(busy, answer))["lockHolders"]).toMatchObject([{ pid }]);
  await client.end();
  await first;
  await busy.close();
});

test("failures that come together are explained by one look, and a look that fails by none", async () => {
  const holders = lockHolderWatch(app.database.url);
  expect(holders()).toBe(holders());
  expect(await holders()).toEqual([]);
  expect(await lockHolderWatch("postgres://nobody@127.0.0.1:1/none")()).toEqual([]);
});

test.each<[string, number, (url: string) => Promise<unknown>]>([
  ["an import", 7_238_003, (url) => withClient(url, takeImportLock)],
  ["a migration", 7_238_002, (url) => new Migrator({ databaseUrl: url, lockTimeout: 1 }).up()],
])("%s whose lock is taken names the session that has it", async (_, lock, work) => {
  const { client, pid } = await sessionOf(as(stranger), `SELECT pg_advisory_lock(${lock})`);
  await expect(work(as(service))).rejects.toThrow(
    `(process ${pid} of the role ${stranger}, "night report", holds its lock)`,
  );
  await client.end();
});
