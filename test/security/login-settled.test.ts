/** @check */

import { Client } from "pg";
import { Passwords } from "../../src/services/administrators/passwords";
import { startReplica, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { waitingForLocks } from "../support/locks";
import { atRest, beforeEachOnLoginShop, countedFor, inTurn, WRONG } from "./login";

// What becomes of a login whose end the database does not take down at once.

const LIMIT = 3;

let app: TestApp;
let email: string;
beforeEachOnLoginShop({ login: { failureLimit: LIMIT, addressFailureLimit: 5 } }, (shop) => {
  ({ app, email } = shop);
});

const counted = () => countedFor(app, email);

const isSettled = async () => (await counted()).every(({ pending }) => pending.length === 0);

/** Runs a login until the statement that settles it waits, and then `disturb`, whose result is returned. */
async function whileSettling<T>(
  password: string,
  disturb: (status: Promise<number>, release: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const [accounts, failures] = [0, 1].map(
    () => new Client({ connectionString: app.database.url }),
  ) as [Client, Client];
  await accounts.connect();
  await failures.connect();
  try {
    await accounts.query("BEGIN");
    await accounts.query("LOCK TABLE admins");
    const status = atRest(app, { email, password });
    await eventually(async () => (await waitingForLocks(app)) === 1);
    await failures.query("BEGIN");
    await failures.query("SELECT FROM login_failures FOR UPDATE");
    await accounts.query("ROLLBACK");
    // The read of the account may still be seen to wait for its table, so the row's own lock is looked for.
    await eventually(async () => (await waitingForLocks(app, "transactionid")) === 1);
    return await disturb(status, () => failures.query("ROLLBACK"));
  } finally {
    await accounts.end();
    await failures.end();
  }
}

const STOP_WAITING = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

test.each([
  ["right", PASSWORD, 200, [0, 0]],
  ["wrong", WRONG, 400, [1, 1]],
])(
  "%s credentials are answered as such, and counted later",
  async (_label, password, answer, points) => {
    await whileSettling(password, async (status, release) => {
      await app.sql(STOP_WAITING);
      expect(await status).toBe(answer);
      await release();
    });
    await eventually(isSettled);
    expect((await counted()).map((row) => row.points)).toEqual(points);
  },
);

test("a failure counts, also if the login has taken so long that it is not pending any more", async () => {
  const accounts = new Client({ connectionString: app.database.url });
  await accounts.connect();
  try {
    await accounts.query("BEGIN; LOCK TABLE admins");
    const status = atRest(app, { email, password: WRONG });
    await eventually(async () => (await waitingForLocks(app)) === 1);
    await app.sql("UPDATE login_failures SET pending = '{}'");
    await accounts.query("ROLLBACK");
    expect(await status).toBe(400);
  } finally {
    await accounts.end();
  }
  expect((await counted()).map((row) => row.points)).toEqual([1, 1]);
});

test("a failure counts once, also if the database had taken it down without saying so", async () => {
  const statements = jest.spyOn(Client.prototype, "query");
  const settling = () =>
    statements.mock.calls.filter(([query]) => JSON.stringify(query).includes("WITH settled"));
  try {
    await whileSettling(WRONG, async (status, release) => {
      // The service gives up on the statement, and its session goes on waiting.
      expect(await status).toBe(400);
      await release();
    });
    await eventually(() => settling().length > 1);
    await eventually(isSettled);
  } finally {
    statements.mockRestore();
  }
  expect(await inTurn(LIMIT, () => atRest(app, { email, password: WRONG }))).toEqual([
    ...Array<number>(LIMIT - 1).fill(400),
    429,
  ]);
});

test("a login that has begun is counted when it ends, also if the queue for connections is full", async () => {
  const busy = await startReplica(app, {
    database: { poolSize: 1, queueLimit: 0 },
    metrics: { port: 0 },
  });
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  let goOn!: () => void;
  const isFull = new Promise<void>((resolve) => (goOn = resolve));
  const checked = jest.spyOn(Passwords.prototype, "matches").mockImplementationOnce(async function (
    this: Passwords,
    ...given
  ) {
    await isFull;
    return this.matches(...given);
  });
  try {
    const status = atRest(busy, { email, password: WRONG });
    await eventually(() => checked.mock.calls.length === 1);
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE orders");
    const read = busy.http.get("/orders").set("authorization", app.asAdmin).send();
    const answered = read.then();
    await eventually(async () => (await waitingForLocks(app)) === 1);
    goOn();
    const waits = eventually(async () =>
      (await busy.metrics()).includes("\ntea_database_requests_waiting 1"),
    );
    await Promise.race([status, waits]);
    await holder.query("ROLLBACK");
    expect(await status).toBe(400);
    expect(await isSettled()).toBe(true);
    await answered;
  } finally {
    checked.mockRestore();
    await holder.end();
    await busy.close();
  }
});
