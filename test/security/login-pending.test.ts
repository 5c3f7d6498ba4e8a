/** @check */

import timers from "node:timers/promises";
import { Client } from "pg";
import { besideLock, waitingForLocks } from "../support/locks";
import { startReplica, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import {
  atRest,
  beforeEachOnLoginShop,
  countedFor,
  inTurn,
  loginDoors,
  postLogin,
  tally,
  WRONG,
} from "./login";
import { errorBody } from "../support/refusals";

jest.setTimeout(60_000);

// Which logins count while they are under way, and what they leave behind.

const LIMIT = 3;
const ADDRESS_LIMIT = 5;

let app: TestApp;
let replica: TestApp;
let email: string;
beforeEachOnLoginShop(
  {
    login: { failureLimit: LIMIT, addressFailureLimit: ADDRESS_LIMIT },
    ofReplica: { login: { concurrency: 8 } },
  },
  (shop) => {
    ({ app, replica, email } = shop);
  },
);

const counted = () => countedFor(app, email);
const settled = { points: 0, pending: [] };
const inAMinute = () => Date.now() + 60_000;

test.each([
  ["one account", 1],
  ["several accounts", 4],
])(
  "correct logins in parallel are none of them 429, and all succeed in the end: %s",
  async (_label, accounts) => {
    const emails = [email];
    while (emails.length < accounts) emails.push((await app.make.admin()).email);
    const ways = [app, replica].flatMap((target) =>
      Object.values(loginDoors).map((login) => (to: string) => login(target, { email: to })),
    );
    const early: number[] = [];
    const logins = Array.from({ length: 60 }, async (_, n) => {
      for (;;) {
        const status = await ways[n % ways.length]!(emails[n % accounts]!);
        if (status !== 503) return status;
        early.push(status);
      }
    });
    expect(tally(await Promise.all(logins))).toEqual({ 200: 60 });
    for (const row of await counted()) expect(row).toEqual(settled);
    expect(tally(await inTurn(LIMIT + 1, () => atRest(app, { email, password: WRONG })))).toEqual({
      400: LIMIT,
      429: 1,
    });
  },
);

test("where those that are pending could reach the limit, the answer is to come again in a second", async () => {
  await inTurn(LIMIT - 1, () => atRest(app, { email, password: WRONG }));
  await app.sql("UPDATE login_failures SET pending = ARRAY[$1::bigint]", [inAMinute()]);
  const before = await counted();
  const { status, headers, body } = await postLogin(app, { email });
  expect([status, headers["retry-after"], body]).toEqual([503, "1", errorBody(503)]);
  expect(await counted()).toEqual(before);
  await app.sql("UPDATE login_failures SET pending = '{}'");
  expect(await atRest(app, { email })).toBe(200);
});

test("logins that begin in one moment are no more than the limit", async () => {
  await atRest(app, { email });
  // All of them have seen that nothing is pending when the first may go on.
  await besideLock(app, "SELECT FROM login_failures FOR UPDATE", async (holder) => {
    const logins = Array.from({ length: 8 }, () => atRest(replica, { email, password: WRONG }));
    await eventually(async () => (await waitingForLocks(app)) === 8);
    await holder.query("ROLLBACK");
    expect(tally(await Promise.all(logins))).toEqual({ 400: LIMIT, 503: 8 - LIMIT });
  });
  const failed = { points: LIMIT, pending: [] };
  expect(await counted()).toEqual([failed, failed]);
});

test("logins that meet in the database are all counted, whatever its default of isolation", async () => {
  const name = app.database.name;
  await app.sql(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
  const strict = await startReplica(replica);
  try {
    await atRest(strict, { email });
    const logins = Array.from({ length: 40 }, async () => {
      for (;;) {
        const status = await atRest(strict, { email, password: WRONG });
        if (status !== 503) return status;
      }
    });
    expect(tally(await Promise.all(logins))).toEqual({ 400: LIMIT, 429: 40 - LIMIT });
    for (const row of await counted()) expect(row).toEqual({ points: LIMIT, pending: [] });
  } finally {
    await app.sql(`ALTER DATABASE ${name} RESET default_transaction_isolation`);
    await strict.close();
  }
});

test("what a process that died left pending ends by itself", async () => {
  await atRest(app, { email });
  await app.sql("UPDATE login_failures SET pending = array_fill($1::bigint, ARRAY[$2::integer])", [
    inAMinute(),
    ADDRESS_LIMIT,
  ]);
  expect(await atRest(app, { email })).toBe(503);
  await app.sql("UPDATE login_failures SET pending = array_fill($1::bigint, ARRAY[$2::integer])", [
    Date.now() - 1,
    ADDRESS_LIMIT,
  ]);
  expect(await atRest(app, { email })).toBe(200);
  expect(await counted()).toEqual([settled, settled]);
});

test("a login takes out what it was itself pending, and leaves others' in", async () => {
  await atRest(app, { email, password: WRONG });
  const others = inAMinute();
  await app.sql("UPDATE login_failures SET pending = ARRAY[$1::bigint]", [others]);
  expect(await atRest(app, { email, password: WRONG })).toBe(400);
  const still = { points: 2, pending: [String(others)] };
  expect(await counted()).toEqual([still, still]);
  expect(await atRest(app, { email: (await app.make.admin()).email })).toBe(200);
  expect(await counted()).toEqual([still, still, settled]);
});

test("logins that began in one millisecond get no further try when one of them ends", async () => {
  await besideLock(app, "LOCK TABLE admins", async (holder) => {
    const before = Date.now();
    const first = atRest(app, { email, password: WRONG });
    await eventually(async () => (await waitingForLocks(app)) === 1);
    const until = Number((await counted())[0]!.pending[0]);
    expect(until).toBeGreaterThanOrEqual(before + 60_000);
    expect(until).toBeLessThanOrEqual(inAMinute());
    // The others run in other processes, and have no answer yet.
    await app.sql(
      "UPDATE login_failures SET pending = array_fill(pending[1], ARRAY[$1::integer])",
      [LIMIT],
    );
    await holder.query("ROLLBACK");
    expect(await first).toBe(400);
    expect(await atRest(app, { email, password: WRONG })).toBe(503);
  });
});

test("a login that fails for another reason does not count", async () => {
  await app.sql("ALTER TABLE admins RENAME TO administrators");
  try {
    expect(await inTurn(LIMIT + 1, () => atRest(app, { email, password: WRONG }))).toEqual(
      Array(LIMIT + 1).fill(500),
    );
  } finally {
    await app.sql("ALTER TABLE administrators RENAME TO admins");
  }
  await eventually(async () => (await counted()).every(({ pending }) => pending.length === 0));
  expect(await counted()).toEqual([settled, settled]);
});

test("where the database fails, the answer does not wait until it can count the end", async () => {
  await besideLock(app, "LOCK TABLE admins", async (holder) => {
    const login = atRest(app, { email });
    await eventually(async () => (await waitingForLocks(app)) === 1);
    await holder.query("SELECT FROM login_failures FOR UPDATE");
    await app.sql(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    expect(await login).toBe(503);
    await eventually(async () => (await waitingForLocks(app)) === 1);
    await holder.query("ROLLBACK");
    await eventually(async () => (await counted()).every(({ pending }) => pending.length === 0));
  });
});

test("refusals rest before they are answered, as who is refused may come back at once; tries don't", async () => {
  const events: unknown[] = [];
  const rests = jest.spyOn(timers, "setTimeout").mockImplementation(async (milliseconds) => {
    await timers.setImmediate();
    // What is repeated pauses as well, for a random time, which is no whole number.
    if (Number.isInteger(milliseconds)) events.push(`${milliseconds} ms`);
    return undefined;
  });
  const login = async (password?: string) =>
    events.push(await atRest(app, { email, ...(password !== undefined && { password }) }));
  try {
    await login();
    await login(WRONG);
    await app.sql(
      "UPDATE login_failures SET pending = array_fill($1::bigint, ARRAY[$2::integer])",
      [inAMinute(), LIMIT],
    );
    await login();
    await app.sql("UPDATE login_failures SET points = $1", [LIMIT]);
    await login();
  } finally {
    rests.mockRestore();
  }
  expect(events).toEqual([200, 400, "75 ms", 503, "75 ms", 429]);
});

test("at the limit of the address a login is not even pending for the account", async () => {
  for (let n = 0; n < ADDRESS_LIMIT; n += 1) {
    await atRest(app, { email: `nobody-${n}@example.com`, password: WRONG });
  }
  const before = await counted();
  const statements = jest.spyOn(Client.prototype, "query");
  expect(await atRest(app, { email })).toBe(429);
  // A flood of refusals must not cost the database more.
  expect(statements).toHaveBeenCalledTimes(1);
  statements.mockRestore();
  expect(await counted()).toEqual(before);
});

test("who waits for its turn learns that it is at its limit before it comes", async () => {
  await inTurn(LIMIT, () => atRest(app, { email, password: WRONG }));
  const other = (await app.make.admin()).email;
  await besideLock(app, "LOCK TABLE admins", async (holder) => {
    const first = atRest(app, { email: other });
    await eventually(async () => (await waitingForLocks(app)) === 1);
    expect(await atRest(app, { email })).toBe(429);
    await holder.query("ROLLBACK");
    expect(await first).toBe(200);
  });
});

test("rows that have expired are cleared away, those that still count are not", async () => {
  const now = Date.now();
  await app.sql(
    `INSERT INTO login_failures (key, points, expire, pending)
     SELECT 'expired ' || n, 1, $1::bigint, ARRAY[$1::bigint] FROM generate_series(1, 25) n
     UNION ALL VALUES ('failed', 1, $2::bigint, '{}'), ('pending', 1, $1, ARRAY[$2::bigint])`,
    [now - 1000, now + 60_000],
  );
  await inTurn(3, () => atRest(app, { email }));
  const left = await app.sql<{ key: string }>(
    "SELECT key FROM login_failures WHERE key LIKE '% %' OR key IN ('failed', 'pending')",
  );
  expect(left.map(({ key }) => key).toSorted()).toEqual(["failed", "pending"]);
});
