/** @check */

import { Client } from "pg";
import { Logins } from "../../src/services/administrators/logins";
import { LoginThrottle } from "../../src/services/administrators/login-throttle";
import { PasswordThreads } from "../../src/services/administrators/passwords";
import { waitingForLocks } from "../support/locks";
import { eventually } from "../support/eventually";
import { startApp, type TestApp } from "../support/app";
import { atRest, loginDoors, tally } from "./login";

jest.setTimeout(60_000);

const QUEUE_LIMIT = 20;
const FLOODING = 5;
const AT_ONCE = 8;
const TRIES = 20;

let app: TestApp;
let email: string;
beforeAll(async () => {
  app = await startApp({
    http: { trustProxy: 1 },
    login: { concurrency: 1, queueLimit: QUEUE_LIMIT },
  });
  ({ email } = await app.make.admin());
});
const arrivals = jest.spyOn(Logins.prototype, "login");
const comparisons = jest.spyOn(PasswordThreads.prototype, "compare");
afterAll(async () => {
  arrivals.mockRestore();
  comparisons.mockRestore();
  await app.close();
});

/** How many logins were compared between the arrival of the one with this password and its own turn. */
function comparedBefore(password: string): number {
  const arrival = arrivals.mock.calls.findIndex(([input]) => input.password === password);
  const turn = comparisons.mock.calls.findIndex(([compared]) => compared === password);
  const arrivedAt = arrivals.mock.invocationCallOrder[arrival] ?? NaN;
  const others = comparisons.mock.invocationCallOrder.slice(0, turn);
  return others.filter((order) => order > arrivedAt).length;
}

/** Keeps so many logins of a source under way until it is told to stop; resolves with their statuses. */
async function flood(from: string, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  const clients = Array.from({ length: AT_ONCE }, async (_, n) => {
    while (!isOver()) {
      // The account does not matter: a source that knows a right password has no better place.
      const attempt = n % 2 ? { email } : { email, password: `flood ${from}` };
      statuses.push(await atRest(app, { ...attempt, from }));
    }
  });
  await Promise.all(clients);
  return statuses;
}

test("while five sources flood the queue, a sixth gets its turn each time, after one of each at most", async () => {
  let over = false;
  const floods = Array.from({ length: FLOODING }, (_, n) => flood(`198.51.100.${n}`, () => over));
  const doors = Object.values(loginDoors);
  for (let n = 0; n < TRIES; n += 1) {
    const password = `try ${n}`;
    const sixth = await doors[n % doors.length]!(app, { email, password, from: "203.0.113.9" });
    expect([password, sixth]).toEqual([password, 400]);
    // The one that was judged when it came, and one of each flooding source.
    expect(comparedBefore(password)).toBeLessThanOrEqual(1 + FLOODING);
  }
  over = true;
  const statuses = tally((await Promise.all(floods)).flat());
  // The flood was one: it was refused places, and got turns.
  expect(Object.keys(statuses)).toEqual(["200", "400", "503"]);
}, 120_000);

test("where the database does not answer, those who wait are not tried one by one", async () => {
  const tried = jest.spyOn(LoginThrottle.prototype, "run");
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE admins");
    const first = atRest(app, { email, from: "198.51.100.1" });
    await eventually(async () => (await waitingForLocks(app)) === 1);
    const others = Array.from({ length: 10 }, (_, n) =>
      atRest(app, { email, from: `203.0.113.${n}` }),
    );
    expect(tally(await Promise.all([first, ...others]))).toEqual({ 503: 11 });
    expect(tried).toHaveBeenCalledTimes(1);
    await holder.query("ROLLBACK");
    expect(await atRest(app, { email, from: "198.51.100.1" })).toBe(200);
  } finally {
    tried.mockRestore();
    await holder.end();
  }
});
