import { Client } from "pg";
import { seedDemo } from "../../src/demo";
import type { TestApp } from "../support/app";
import { createDatabase, query, type TestDatabase } from "../support/database";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { tea } from "./terminal";

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
  await seedDemo(database.url);
});
afterEach(() => database.drop());

const check = (...options: string[]) =>
  tea(["lists", "check", ...options], { environment: { DATABASE_URL: database.url } });

/** Changes rows as no trigger sees it. */
const withoutTriggers = (statement: string) =>
  query(database.url, `SET session_replication_role = replica; ${statement}`);

const asKept = "and the addresses of customers are as they are kept\n";

test("lists that are right are said to be, folded or not", async () => {
  // 4 of orders; 3 of all products and 3 of each of 8 categories.
  const right = { exitCode: 0, stdout: `All 31 lists ${asKept}`, stderr: "" };
  expect(await check()).toEqual(right);
  await query(database.url, "SELECT fold_changes('orders', 1000), fold_changes('products', 1000)");
  expect(await check("--repair")).toEqual(right);
});

test("lists that differ are named, and counted anew if wanted", async () => {
  await withoutTriggers("UPDATE orders SET status = 'PENDING' WHERE status = 'CANCELLED'");
  await withoutTriggers("DELETE FROM order_items; DELETE FROM orders WHERE id = 1");
  const { exitCode, stdout, stderr } = await check();
  expect([exitCode, stderr]).toEqual([1, "error: run: npm run tea -- lists check --repair\n"]);
  expect(stdout).toContain("orders, part of height 0 from -infinity: kept 200, counted 199\n");
  expect(stdout).toMatch(/^orders, status=CANCELLED, .*: kept [1-9][0-9]*, counted 0$/m);
  expect(stdout).toMatch(/^orders, status=PENDING, .*: kept/m);
  expect(stdout).not.toContain("products");

  const repaired = await check("--repair");
  expect([repaired.exitCode, repaired.stderr]).toEqual([0, ""]);
  expect(repaired.stdout).toBe(`${stdout}Counted the lists of orders anew\n`);
  expect((await check()).exitCode).toBe(0);
});

test("addresses by which orders can't be found are counted, and added if wanted", async () => {
  await withoutTriggers(
    `UPDATE orders SET customer_email = 'Loaded.' || id % 2 || '@Example.com' WHERE id <= 3`,
  );
  const asked = "error: run: npm run tea -- lists check --repair\n";
  const stdout = "customer_addresses lacks 2 addresses of orders\n";
  expect(await check()).toEqual({ exitCode: 1, stdout, stderr: asked });
  const added = `${stdout}Added 2 addresses of orders to customer_addresses\n`;
  expect(await check("--repair")).toEqual({ exitCode: 0, stdout: added, stderr: "" });
  expect(
    await query(
      database.url,
      "SELECT address FROM customer_addresses WHERE address LIKE 'loaded%' ORDER BY address",
    ),
  ).toEqual([{ address: "loaded.0@example.com" }, { address: "loaded.1@example.com" }]);
  // Addresses that orders once had stay, and are no fault.
  await query(database.url, "UPDATE orders SET customer_email = 'ada@example.com' WHERE id = 1");
  expect(await check("--repair")).toMatchObject({ exitCode: 0, stdout: `All 31 lists ${asKept}` });
});

test("a repair does not add an address that is being removed", async () => {
  await withoutTriggers("UPDATE orders SET customer_email = 'loaded@example.com' WHERE id = 1");
  const remover = new Client({ connectionString: database.url });
  await remover.connect();
  try {
    // As the erasure of a customer does.
    await remover.query("BEGIN");
    await remover.query(
      "SELECT pg_try_advisory_xact_lock(7238004, customer_lock('loaded@example.com'))",
    );
    await remover.query("UPDATE orders SET customer_email = 'gone@example.com' WHERE id = 1");
    const repaired = check("--repair");
    const sql: TestApp["sql"] = (statement) => query(database.url, statement);
    await eventually(async () => (await waitingForLocks({ sql })) > 0);
    await remover.query("COMMIT");
    expect((await repaired).stdout).toContain("Added 0 addresses of orders");
  } finally {
    await remover.end();
  }
  expect(
    await query(
      database.url,
      "SELECT FROM customer_addresses WHERE address = 'loaded@example.com'",
    ),
  ).toEqual([]);
});

test("lists that are not counted are said not to be", async () => {
  await query(database.url, "TRUNCATE products CASCADE");
  expect(await check()).toMatchObject({
    exitCode: 1,
    stdout: "The lists of products are not counted yet\n",
  });
  // The lists of other tables are compared nevertheless.
  await withoutTriggers("UPDATE orders SET status = 'PENDING' WHERE status = 'CANCELLED'");
  expect((await check()).stdout).toMatch(/^orders, status=CANCELLED, /m);
  expect((await check("--repair")).exitCode).toBe(0);
  expect(await check()).toMatchObject({ exitCode: 0 });
});
