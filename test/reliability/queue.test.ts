import { Client } from "pg";
import { startReplica, useApp } from "../support/app";
import { send, sendJson } from "../support/raw-http";
import { waitingForLocks } from "../support/locks";
import { newOrder, place } from "./orders";
import { eventually } from "../support/eventually";

const QUEUE_LIMIT = 2;
const REQUESTS = 6;

const app = useApp({
  database: { poolSize: 1, queueLimit: QUEUE_LIMIT },
  catalogue: { cache: false },
});

/** Reads one of many pages: requests for the same page would share a read. */
let page = 0;
const read = (url: string) => send(url, { method: "GET", path: `/products?page=${(page += 1)}` });

let holder: Client;
beforeEach(async () => {
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
});
afterEach(() => holder.end());

/** Reads what is locked; resolves, with the answer to come, when the reader waits for the lock. */
async function blockedRead(url: string): Promise<{ answer: ReturnType<typeof read> }> {
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE products");
  const answer = read(url);
  await eventually(async () => (await waitingForLocks(app)) === 1);
  return { answer };
}

test("requests beyond the queue for the database are refused at both doors while the others wait", async () => {
  const blocked = await blockedRead(app.url);
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
  const invalid = await sendJson(app.url, "POST", "/orders", "{}");
  expect(invalid.status).toBe(400); // needs no database
  await holder.query("ROLLBACK");
  expect((await blocked.answer).status).toBe(200);
  expect((await Promise.all(others)).toSorted()).toEqual([200, 200, 503, 503, 503, 503]);
});

test("what is kept of the catalogue is served while all connections are taken, and what is not waits", async () => {
  const caching = await startReplica(app, { catalogue: { cache: true } });
  const get = (path: string, headers = {}) => send(caching.url, { method: "GET", path, headers });
  const productId = (await app.make.product()).id;
  const order = () => place(caching.url, newOrder(productId));
  const query = '{"query":"{ products { data { id } } }"}';
  const ask = () => sendJson(caching.url, "POST", "/graphql", query);
  const [kept, keptToo] = [await get("/products"), await ask()];
  const blocked = await blockedRead(caching.url);
  const waiting = Array.from({ length: QUEUE_LIMIT }, () => order());
  await eventually(async () => (await order()).status === 503);
  const [again, asked, other] = [get("/products"), ask(), get("/products?page=2")];
  expect((await order()).status).toBe(503);
  await holder.query("ROLLBACK");
  expect(await again).toMatchObject({ status: 200, body: kept.body });
  expect(await asked).toMatchObject({ status: 200, body: keptToo.body });
  expect((await other).status).toBe(200);
  expect((await blocked.answer).status).toBe(200);
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(201);
  await caching.close();
});

test("without a queue whoever finds a connection free is served", async () => {
  const unqueued = await startReplica(app, { database: { queueLimit: 0 } });
  const blocked = await blockedRead(unqueued.url);
  expect((await read(unqueued.url)).status).toBe(503);
  await holder.query("ROLLBACK");
  expect((await blocked.answer).status).toBe(200);
  await unqueued.close();
});
