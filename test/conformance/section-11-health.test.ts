import { Client } from "pg";
import packageJson from "../../package.json";
import { startReplica, useApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { administrate, endConnections } from "../support/database";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { send, type Answer } from "../support/raw-http";
import { errorBody } from "../support/refusals";

const READY = { database: "up", migrations: "applied", draining: "no" };

const app = useApp({ database: { poolSize: 1, queueLimit: 0 } });

const get = (path: string, { url }: Pick<TestApp, "url"> = app): Promise<Answer> =>
  send(url, { method: "GET", path });

function expectNotReady(answer: Answer, parts: object): void {
  expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "1"]);
  expect(answer.body).toEqual({ ...errorBody(503), parts: { ...READY, ...parts } });
}

clause("11.health", "/health/live says which version and commit runs", async () => {
  const { status, body } = await get("/health/live");
  expect(status).toBe(200);
  expect(body).toEqual({ status: "ok", version: packageJson.version, commit: expect.any(String) });
});

clause("11.health.ready", "a service that can serve says so of each part", async () => {
  const { status, body } = await get("/health/ready");
  expect(status).toBe(200);
  expect(body).toEqual({ status: "ready", parts: READY });
});

clause("11.health.ready", "a service that is about to end is draining", async () => {
  const leaving = await startReplica(app);
  leaving.shop.startDraining();
  expectNotReady(await get("/health/ready", leaving), { draining: "yes" });
  await leaving.close();
});

clauseEach(
  "11.health.ready",
  "migrations of the release are pending",
  {
    "the last one":
      "DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations)",
    "one in between": "DELETE FROM schema_migrations WHERE name LIKE '009-%'",
  },
  async (forget) => {
    const applied = await app.sql<{ name: string; checksum: string }>(
      "SELECT name, checksum FROM schema_migrations",
    );
    await app.sql(forget);
    expectNotReady(await get("/health/ready"), { migrations: "pending" });
    await app.sql(
      `INSERT INTO schema_migrations (name, checksum)
       SELECT name, checksum FROM json_to_recordset($1) AS all_of_them (name text, checksum text)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(applied)],
    );
    expect((await get("/health/ready")).status).toBe(200);
  },
);

clause("11.health.ready", "a newer migration does not keep the service from serving", async () => {
  await app.sql("INSERT INTO schema_migrations (name, checksum) VALUES ('999-later', 'x')");
  expect((await get("/health/ready")).body).toEqual({ status: "ready", parts: READY });
  await app.sql("DELETE FROM schema_migrations WHERE name = '999-later'");
});

clause("11.health.ready", "a database for which too many requests wait is busy", async () => {
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE products");
  const waiting = get("/products/1");
  await eventually(async () => (await waitingForLocks(app)) === 1);
  const answer = await get("/health/ready");
  await holder.end();
  expectNotReady(answer, { database: "busy", migrations: "unknown" });
  expect((await waiting).status).toBe(404);
});

clause("11.health.ready", "a database that is away is down, and no secret says so", async () => {
  const { name, url } = app.database;
  await administrate(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await endConnections(app.database);
  const answer = await get("/health/ready");
  await administrate(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  expectNotReady(answer, { database: "down", migrations: "unknown" });
  expect(answer.text).not.toContain(new URL(url).hostname);
  expect(answer.text).not.toContain(name);
});
