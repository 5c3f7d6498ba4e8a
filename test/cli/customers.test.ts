import { inWriteContext } from "../../src/vocabulary/current-work";
import { startApp, type TestApp } from "../support/app";
import { dumpOf, tablesWith } from "../support/dump";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { isWaiting, orderBySql, sessionOf, TOMBSTONE } from "../record/customers";
import { post } from "../idempotency/place";
import { tea, type Outcome, type Situation } from "./terminal";

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

const EMAIL = "Ada@example.com";

const customers = (command: string, situation: Situation = {}): Promise<Outcome> =>
  tea(`customers ${command}`, { ...situation, environment: { DATABASE_URL: app.database.url } });

/** A customer with an order under a key, a subscription, and an entry of the audit log. */
async function makeCustomer(): Promise<void> {
  const product = await app.make.product({ slug: "sencha", name: "Sencha", price: "12.50" });
  const items = [{ productId: product.id, quantity: 2 }];
  expect((await post(app, { customerEmail: EMAIL, items }, { key: "k-1" })).status).toBe(201);
  await app.sql("UPDATE orders SET created_at = '2026-01-31T00:00:00Z'");
  await app.sql("UPDATE idempotency_keys SET created_at = '2026-01-31T00:00:00.5Z'");
  await app.make.subscriber({ email: EMAIL.toUpperCase() });
  await app.sql("UPDATE newsletter_subscribers SET created_at = '2026-02-01T00:00:00Z'");
}

const order = {
  orderId: 1,
  status: "PENDING",
  customerEmail: EMAIL,
  createdAt: "2026-01-31T00:00:00.000Z",
  totalAmount: "25.00",
  items: [{ product: "sencha", productName: "Sencha", quantity: 2, unitPrice: "12.50" }],
};

describe("export", () => {
  test("writes all that is stored of a customer, and nothing of others", async () => {
    await makeCustomer();
    await app.make.order();
    await app.make.subscriber();
    const { exitCode, stdout, stderr } = await customers("export ada@EXAMPLE.com");
    expect([exitCode, stderr]).toEqual([
      0,
      "Exported 1 order, 1 subscription, 1 entry of the audit log, 4 events, 1 idempotency key\n",
    ]);
    const { events, ...rest } = JSON.parse(stdout) as { events: unknown };
    expect(rest).toEqual({
      email: "ada@EXAMPLE.com",
      orders: [order],
      subscription: {
        email: "ADA@EXAMPLE.COM",
        isActive: true,
        createdAt: "2026-02-01T00:00:00.000Z",
        ...{ consentedAt: null, consentAddress: null },
      },
      auditEntries: [
        {
          at: expect.stringMatching(/Z$/),
          operation: "INSERT",
          subject: "NEWSLETTER_SUBSCRIBER",
          subjectId: 1,
          changes: expect.arrayContaining([
            { field: "email", before: null, after: "ADA@EXAMPLE.COM" },
          ]),
        },
      ],
      idempotencyKeys: [{ key: "k-1", orderId: 1, createdAt: "2026-01-31T00:00:00.500Z" }],
    });
    expect(events).toMatchObject([
      { type: "order.placed", data: { customerEmail: EMAIL, version: 1, items: [{ id: 1 }] } },
      { type: "order.updated", data: { customerEmail: EMAIL, version: 2 } },
      { type: "subscription.requested", data: { email: "ADA@EXAMPLE.COM", version: 1 } },
      { type: "subscription.updated", data: { email: "ADA@EXAMPLE.COM", version: 2 } },
    ]);
  });

  test("shows on a terminal nothing that it would obey", async () => {
    const email = `"a\u009b2J"@example.com`;
    await app.make.order({ customer_email: email });
    await app.sql("UPDATE orders SET customer_email = $1", [EMAIL]);
    const { stdout } = await customers(`export ${EMAIL}`, { typed: [] });
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(stdout).toContain("\\u{9b}2J");
  });
});

describe("erase", () => {
  test("says what it has erased, and what stands there now", async () => {
    await makeCustomer();
    const { exitCode, stdout, stderr } = await customers("erase ADA@example.com");
    expect([exitCode, stderr]).toEqual([0, ""]);
    const [first, second] = stdout.split("\n");
    expect(first).toBe("Erased 1 order, 1 subscription, 1 entry of the audit log, 4 events");
    const tombstone = second?.replace("The address is now ", "") ?? "";
    expect(tombstone).toMatch(TOMBSTONE);
    expect(await tablesWith(app, EMAIL)).toEqual([]);
    expect(await app.sql("SELECT FROM orders WHERE customer_email = $1", [tombstone])).toHaveLength(
      1,
    );
    expect(
      await app.sql(
        "SELECT door, operation, changes FROM audit_entries WHERE subject = 'CUSTOMER'",
      ),
    ).toEqual([
      {
        door: "COMMAND_LINE",
        operation: "customers erase",
        changes: [{ field: "email", before: null, after: tombstone }],
      },
    ]);
  });

  test("only shows what it would erase, if wanted", async () => {
    await makeCustomer();
    const before = await dumpOf(app);
    expect(await customers(`erase ${EMAIL} --dry-run`)).toEqual({
      exitCode: 0,
      stdout:
        "Would erase 1 order, 1 subscription, 1 entry of the audit log, 4 events\nNothing was erased, because this was a dry run\n",
      stderr: "",
    });
    expect(await dumpOf(app)).toEqual(before);
  });

  test.each([
    ["erase", /Give either an address or --inactive-since/],
    [`erase ${EMAIL} --inactive-since 3y`, /Give either an address or --inactive-since/],
    ["erase ada", /It must be an e-mail address/],
    ["erase --inactive-since 3w", /It must be a day or a time in UTC/],
    ["erase --inactive-since 0d", /It must be a day or a time in UTC/],
    ["erase --inactive-since 9999-01-01", /It must be a time in the past/],
    ["export", /missing required argument 'email'/],
    ["export ada", /It must be an e-mail address/],
  ])("%s is refused", async (command, message) => {
    const { exitCode, stdout, stderr } = await customers(command);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
  });
});

describe("erase --inactive-since", () => {
  const days = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString();
  const orderOf = (email: string, daysAgo: number) =>
    app.make.order({ customer_email: email, created_at: days(daysAgo) });
  const addresses = async (): Promise<string[]> => {
    const rows = await app.sql<{ email: string }>(
      `SELECT DISTINCT lower(customer_email) AS email FROM orders
       WHERE customer_email NOT LIKE 'erased-%' ORDER BY 1`,
    );
    return rows.map(({ email }) => email);
  };

  beforeEach(async () => {
    await orderOf("Old@example.com", 100);
    await orderOf("old@example.com", 95);
    await orderOf("ended@example.com", 100);
    await app.make.subscriber({ email: "Ended@example.com", is_active: false });
    await orderOf("reader@example.com", 100);
    await app.make.subscriber({ email: "Reader@example.com" });
    await orderOf("mixed@example.com", 100);
    await orderOf("MIXED@example.com", 10);
    await orderOf("new@example.com", 10);
    await app.make.subscriber({ email: "only-a-reader@example.com", is_active: false });
  });

  test.each(["90d", days(94), days(94).slice(0, 10)])(
    "erases who ordered before: %s",
    async (since) => {
      const { exitCode, stdout, stderr } = await customers(`erase --inactive-since ${since}`);
      expect([exitCode, stderr]).toEqual([0, ""]);
      const lines = stdout.trimEnd().split("\n");
      expect(lines.map((line) => line.replace(/\S+@erased\.invalid|\S+Z$/, "…"))).toEqual([
        "…  1 order, 1 subscription, 2 entries of the audit log, 2 events",
        "…  2 orders, 0 subscriptions, 2 entries of the audit log, 2 events",
        "Erased 2 customers without an order since …",
      ]);
      expect(await addresses()).toEqual([
        "mixed@example.com",
        "new@example.com",
        "reader@example.com",
      ]);
      expect(await tablesWith(app, "only-a-reader@example.com")).toContain(
        "newsletter_subscribers",
      );
      for (const gone of ["old@example.com", "ended@example.com"]) {
        expect(await tablesWith(app, gone)).toEqual([]);
      }
      const tombstones = await app.sql(
        "SELECT DISTINCT changes FROM audit_entries WHERE subject = 'CUSTOMER'",
      );
      expect(tombstones).toHaveLength(2);
      // Who is erased is no customer any more.
      const again = await customers(`erase --inactive-since ${since}`);
      expect(again.stdout).toMatch(/^Erased 0 customers without an order since \S+\n$/);
    },
  );

  test("only shows whom it would erase, if wanted", async () => {
    const before = await dumpOf(app);
    const { exitCode, stdout } = await customers("erase --inactive-since 90d --dry-run");
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/\S+Z$/, "…"))).toEqual([
      "ended@example.com  1 order, 1 subscription, 2 entries of the audit log, 2 events, last order …",
      "old@example.com  2 orders, 0 subscriptions, 2 entries of the audit log, 2 events, last order …",
      "Would erase 2 customers without an order since …",
      "Nothing was erased, because this was a dry run",
    ]);
    expect(await dumpOf(app)).toEqual(before);
  });

  test("spares those who order meanwhile", async () => {
    const beside = await sessionOf(app);
    try {
      await beside.query("BEGIN");
      await orderBySql(beside, "ended@example.com");
      const erasing = customers("erase --inactive-since 90d");
      await eventually(() => isWaiting(app));
      await beside.query("COMMIT");
      expect((await erasing).stdout).toContain("Erased 1 customer without an order since ");
    } finally {
      await beside.end();
    }
    expect(await addresses()).toContain("ended@example.com");
    const spared = await app.sql(
      "SELECT FROM orders WHERE lower(customer_email) = 'ended@example.com'",
    );
    expect(spared).toHaveLength(2);
    expect(await addresses()).not.toContain("old@example.com");
  });

  test("spares those who order or subscribe while it erases what was there", async () => {
    const { customers: service } = app.shop.services;
    const writeContext = { door: "COMMAND_LINE", operation: "customers erase" } as const;
    const holder = await sessionOf(app);
    try {
      for (const [address, comes] of [
        ["ended@example.com", () => app.make.order({ customer_email: "Ended@example.com" })],
        ["old@example.com", () => app.make.subscriber({ email: "Old@example.com" })],
      ] as const) {
        await holder.query("BEGIN");
        await holder.query("SELECT FROM orders WHERE lower(customer_email) = $1 FOR UPDATE", [
          address,
        ]);
        const erased = inWriteContext(writeContext, () =>
          service.eraseInactive(address, new Date(days(90))),
        );
        await eventually(async () => (await waitingForLocks(app)) === 1);
        await comes();
        const before = await dumpOf(app);
        await holder.query("COMMIT");
        expect(await erased).toBeUndefined();
        expect(await dumpOf(app)).toEqual(before);
      }
    } finally {
      await holder.end();
    }
  });

  test("finds customers beyond those that one statement looks at", async () => {
    await app.sql(
      `INSERT INTO orders (customer_email, total_amount, created_at)
       SELECT concat('many-', n, '@example.com'), 1, now() - interval '10 days'
       FROM generate_series(1, 1500) AS n`,
    );
    await orderOf("zoe@example.com", 100);
    const { stdout } = await customers("erase --inactive-since 90d --dry-run");
    expect(stdout).toContain("\nzoe@example.com  1 order");
    expect(stdout).toContain("Would erase 3 customers");
  });
});
