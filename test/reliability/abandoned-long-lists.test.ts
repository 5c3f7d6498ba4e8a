import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { Client } from "pg";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { parsedLog, searchLog } from "../support/log-lines";
import { openSocket, send, type Answer } from "../support/raw-http";

jest.setTimeout(60_000);

/** Long lists in memory at one time, and waiting for it. */
const AT_ONCE = 2;
const WAITING = 16;

let empty: number;
let large: number;
let holder: Client;
const app = useApp({ database: { poolSize: 1 } });
beforeAll(async () => {
  empty = (await app.make.category()).id;
  large = (await app.make.category()).id;
  // More than the system's buffers hold.
  await app.sql(
    `INSERT INTO products (name, slug, description, price, category_id)
     SELECT 'Tea ' || n, 'large-' || n, repeat('leaf ', 1000), 1, $1
     FROM generate_series(1, 3000) AS n`,
    [large],
  );
});
beforeEach(async () => {
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
});
afterEach(() => holder.end());

/** Keeps everybody from reading products. */
const hold = () => holder.query("BEGIN; LOCK products IN ACCESS EXCLUSIVE MODE");
const letGo = () => holder.query("COMMIT");
const waiting = (count: number) => eventually(async () => (await waitingForLocks(app)) === count);

/** New categories with long lists. */
async function longCategories(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await app.make.category()).id);
  await app.sql(
    `INSERT INTO products (name, slug, price, category_id)
     SELECT 'Tea ' || n, 'long-' || id || '-' || n, 1, id
     FROM unnest($1::integer[]) AS id, generate_series(1, 1001) AS n`,
    [ids],
  );
  return ids;
}

const list = (category: number): Promise<Answer> =>
  send(app.url, { method: "GET", path: `/products/category/${category}` });

interface Request {
  readonly id: string;
  readonly socket: Socket;
}

/** Asks for a list, with an id that the log has. */
function ask(category: number): Request {
  const id = randomUUID();
  const socket = openSocket(app.url);
  socket.on("error", () => undefined);
  socket.write(
    `GET /products/category/${category} HTTP/1.1\r\nHost: shop\r\nX-Request-Id: ${id}\r\n\r\n`,
  );
  return { id, socket };
}

/** Goes away; resolves when the service knows. */
async function goAway({ id, socket }: Request): Promise<void> {
  socket.destroy();
  await searchLog(app, id);
}

/** Clients that take all places by reading no further than the head of a list. */
const takePlaces = (): Promise<Request[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const request = ask(large);
      await once(request.socket, "readable");
      return request;
    }),
  );

/** Resolves when the requests until now wait for a place: the one connection serves one after another. */
const served = async (): Promise<void> => {
  expect((await list(empty)).body).toEqual([]);
};

/** The one session of the pool, as soon as there is no other. */
const pooled = () =>
  eventually(async () => {
    const sessions = await app.sql(
      `SELECT pid FROM pg_stat_activity
       WHERE application_name = 'tea-shop' AND datname = current_database()`,
    );
    return sessions.length === 1 && sessions;
  });

test("a long list that is read ends in the database when its only client is gone", async () => {
  const [category] = (await longCategories(1)) as [number];
  const stalled = await takePlaces();
  const request = ask(category);
  await served();
  const before = await pooled();
  await hold();
  await Promise.all(stalled.map(goAway));
  await waiting(1);
  await goAway(request);
  await waiting(0);
  expect(await pooled()).toEqual(before);
  await letGo();
  expect(((await list(category)).body as unknown[]).length).toBe(1001);
  expect(await pooled()).toEqual(before);
  expect(parsedLog(app.log).filter(({ level }) => level === "error")).toEqual([]);
});

test("a long list goes on for the clients that stay", async () => {
  const [category] = (await longCategories(1)) as [number];
  const stalled = await takePlaces();
  const first = ask(category);
  await served();
  const second = list(category);
  await served();
  await hold();
  await Promise.all(stalled.map(goAway));
  await waiting(1);
  await goAway(first);
  await letGo();
  const { status, body } = await second;
  expect([status, (body as unknown[]).length]).toEqual([200, 1001]);
});

test("clients that go away while they wait leave their places to others", async () => {
  const categories = await longCategories(WAITING + AT_ONCE);
  const stalled = await takePlaces();
  const gone = categories.slice(AT_ONCE).map(ask);
  await served();
  await Promise.all(gone.map(goAway));
  const others = categories.slice(0, AT_ONCE).map(list);
  await served();
  await Promise.all(stalled.map(goAway));
  for (const { status, body } of await Promise.all(others)) {
    expect([status, (body as unknown[]).length]).toEqual([200, 1001]);
  }
});
