import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { send } from "../support/raw-http";
import { eventually } from "./own-server";

const QUEUE_LIMIT = 2;
const REQUESTS = 6;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ databasePoolSize: 1, databaseQueueLimit: QUEUE_LIMIT });
});
afterAll(() => app.close());

test("requests beyond the queue for the database are refused while the others wait", async () => {
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE categories");
  const read = () => send(app.url, { method: "GET", path: "/categories" });
  const blocked = read();
  await eventually(async () => {
    const waiting = await app.sql(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length === 1;
  });

  const refused: number[] = [];
  const others = Array.from({ length: REQUESTS }, async () => {
    const { status, headers } = await read();
    if (status === 503 && headers["retry-after"] === "1") refused.push(status);
    return status;
  });
  await eventually(() => refused.length === REQUESTS - QUEUE_LIMIT);
  await holder.query("ROLLBACK");
  await holder.end();

  expect((await blocked).status).toBe(200);
  expect((await Promise.all(others)).toSorted()).toEqual([200, 200, 503, 503, 503, 503]);
});
