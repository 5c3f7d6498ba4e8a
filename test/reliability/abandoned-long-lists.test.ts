/** @check */

import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { Client } from "pg";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { parsedLog, searchLog } from "../support/log-lines";
import { ask, AT_ONCE, stalled, useLongLists, WAITING } from "./long-lists";

jest.setTimeout(60_000);

const shop = useLongLists(["large"], { database: { poolSize: 1 } });
const { app } = shop;

let holder: Client;
beforeEach(async () => {
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
});
afterEach(() => holder.end());

/** Keeps everybody from reading products. */
const hold = () => holder.query("BEGIN; LOCK products IN ACCESS EXCLUSIVE MODE");
const letGo = () => holder.query("COMMIT");
const waiting = (count: number) => eventually(async () => (await waitingForLocks(app)) === count);

interface Request {
  readonly id: string;
  readonly socket: Socket;
}

function asked(category: number): Request {
  const id = randomUUID();
  return { id, socket: ask(app.url, category, id) };
}

/** Clients that take all places. */
const stall = (): Promise<Request[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const id = randomUUID();
      return { id, socket: await stalled(app.url, shop.large, id) };
    }),
  );

/** Goes away; resolves when the service knows. */
async function goAway({ id, socket }: Request): Promise<void> {
  socket.destroy();
  await searchLog(app, id);
}

let empty: number;
beforeAll(async () => {
  empty = (await app.make.category()).id;
});

/** Resolves when the requests until now wait for a place: the one connection serves one after another. */
const served = async (): Promise<void> => {
  expect((await shop.list(empty)).body).toEqual([]);
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
  const [category] = (await shop.longCategories(1)) as [number];
  const stalled = await stall();
  const request = asked(category);
  await served();
  const before = await pooled();
  await hold();
  await Promise.all(stalled.map(goAway));
  await waiting(1);
  await goAway(request);
  await waiting(0);
  expect(await pooled()).toEqual(before);
  await letGo();
  expect(((await shop.list(category)).body as unknown[]).length).toBe(1001);
  expect(await pooled()).toEqual(before);
  expect(parsedLog(app.log).filter(({ level }) => level === "error")).toEqual([]);
});

test("a long list goes on for the clients that stay", async () => {
  const [category] = (await shop.longCategories(1)) as [number];
  const stalled = await stall();
  const first = asked(category);
  await served();
  const second = shop.list(category);
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
  const categories = await shop.longCategories(WAITING + AT_ONCE);
  const stalled = await stall();
  const gone = categories.slice(AT_ONCE).map(asked);
  await served();
  await Promise.all(gone.map(goAway));
  const others = categories.slice(0, AT_ONCE).map((category) => shop.list(category));
  await served();
  await Promise.all(stalled.map(goAway));
  for (const { status, body } of await Promise.all(others)) {
    expect([status, (body as unknown[]).length]).toEqual([200, 1001]);
  }
});
