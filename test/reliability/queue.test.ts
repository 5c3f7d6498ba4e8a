import { Client } from "pg";
import { startApp, startReplica, type TestApp } from "../support/app";
import { send, sendJson } from "../support/raw-http";
import { eventually } from "./own-server";

const QUEUE_LIMIT = 2;
const REQUESTS = 6;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ databasePoolSize: 1, databaseQueueLimit: QUEUE_LIMIT });
});
afterAll(() => app.close());

const read = (url: string) => send(url, { method: "GET", path: "/categories" });

let holder: Client;
beforeEach(async () => {
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE categories");
});
afterEach(() => holder.end());

/** Resolves when a reader of the categories waits for the lock. */
const someoneWaits = () =>
  eventually(async () => {
    const waiting = await app.sql(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length === 1;
  });

test("requests beyond the queue for the database are refused at both doors while the others wait", async () => {
  const blocked = read(app.url);
  await someoneWaits();

  const refused: number[] = [];
  const others = Array.from({ length: REQUESTS }, async () => {
    const { status, headers } = await read(app.url);
    if (status === 503 && headers["retry-after"] === "1") refused.push(status);
    return status;
  });
  await eventually(() => refused.length === REQUESTS - QUEUE_LIMIT);
  const graphql = await sendJson(app.url, "POST", "/graphql", '{"query":"{ categories { id } }"}');
  expect(graphql).toMatchObject({
    status: 503,
    headers: { "retry-after": "1", "x-content-type-options": "nosniff" },
    body: {
      errors: [
        {
          message: "Service Unavailable",
          extensions: {
            code: "SERVICE_UNAVAILABLE",
            http: { statusCode: 503, error: "Service Unavailable", retryAfter: 1 },
          },
        },
      ],
    },
  });
  const live = await send(app.url, { method: "GET", path: "/health/live" });
  expect(live.status).toBe(200);
  await holder.query("ROLLBACK");

  expect((await blocked).status).toBe(200);
  expect((await Promise.all(others)).toSorted()).toEqual([200, 200, 503, 503, 503, 503]);
});

test("without a queue whoever finds a connection free is served", async () => {
  const unqueued = await startReplica(app, { databaseQueueLimit: 0 });
  const blocked = read(unqueued.url);
  await someoneWaits();
  expect((await read(unqueued.url)).status).toBe(503);
  await holder.query("ROLLBACK");
  expect((await blocked).status).toBe(200);
  await unqueued.close();
});
