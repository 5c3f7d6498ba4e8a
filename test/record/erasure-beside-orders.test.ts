import { useApp } from "../support/app";
import { tablesWith } from "../support/dump";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { erase, found, isWaiting, orderBySql, sessionOf } from "./customers";

const app = useApp();
let serial = 0;
let email = "";
beforeEach(() => {
  email = `crowd-${(serial += 1)}@example.com`;
});

test("an order that is under way is erased too, and nobody else waits", async () => {
  await app.make.order({ customer_email: email });
  const beside = await sessionOf(app);
  try {
    await beside.query("BEGIN");
    await orderBySql(beside, email.toUpperCase());
    const erasing = erase(app, email);
    await eventually(() => isWaiting(app));
    // One with the same lock.
    const [other] = await app.sql<{ address: string }>(
      `SELECT address FROM generate_series(1, 100000) AS n, concat('other-', n, '@example.com') AS address
       WHERE customer_lock(address) = customer_lock($1) LIMIT 1`,
      [email],
    );
    const { id: productId } = await app.make.product();
    for (const customerEmail of [other?.address, email]) {
      const items = [{ productId, quantity: 1 }];
      await app.http.post("/orders").send({ customerEmail, items }).expect(201);
    }
    expect(await isWaiting(app)).toBe(true);
    await beside.query("COMMIT");
    expect(await erasing).toMatchObject({ orders: 3 });
  } finally {
    await beside.end();
  }
  expect(await tablesWith(app, email)).toEqual([]);
});

test("an order that comes at the last moment is a new customer's, and is found", async () => {
  await app.make.order({ customer_email: email });
  const holder = await sessionOf(app);
  const beside = await sessionOf(app);
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM customer_addresses WHERE address = $1 FOR UPDATE", [email]);
    const erasing = erase(app, email);
    // It has the lock, and can't delete the address yet.
    await eventually(async () => (await waitingForLocks(app)) === 1);
    const placed = orderBySql(beside, email);
    await eventually(async () => (await waitingForLocks(app)) === 2);
    await holder.query("COMMIT");
    expect(await erasing).toMatchObject({ orders: 1 });
    await placed;
  } finally {
    await holder.end();
    await beside.end();
  }
  expect(await found(app, email)).toEqual([email]);
});

test("a transaction with orders of many customers needs few locks", async () => {
  const beside = await sessionOf(app);
  try {
    await beside.query("BEGIN");
    await beside.query(
      `INSERT INTO orders (customer_email, total_amount)
       SELECT concat('bulk-', n, '@example.com'), 1 FROM generate_series(1, 5000) AS n`,
    );
    const { rows } = await beside.query<{ count: number }>(
      `SELECT count(*)::integer FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
    );
    // One for each kind of address, and that of the slot in which the orders are counted.
    expect(rows).toEqual([{ count: 257 }]);
    await beside.query("ROLLBACK");
  } finally {
    await beside.end();
  }
});
