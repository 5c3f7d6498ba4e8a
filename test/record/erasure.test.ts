import { execute, refusalOf } from "../graphql/client";
import { post } from "../idempotency/place";
import { atRest, WRONG } from "../security/login";
import { tea } from "../cli/terminal";
import { startApp, startReplica, type TestApp } from "../support/app";
import { createRole } from "../support/database";
import { dumpOf, tablesWith } from "../support/dump";
import { dataOfCustomer, erase, found, TOMBSTONE } from "./customers";

jest.setTimeout(60_000);

let app: TestApp;
beforeEach(async () => {
  // Failed logins are counted in a table.
  app = await startApp({ login: { failureLimit: 10, addressFailureLimit: 50 } });
});
afterEach(() => app.close());

const EMAIL = "Ada.Lovelace@example.com";

/** Places orders at both doors, under keys; the answers are texts. */
async function placeOrders() {
  const { id: productId } = await app.make.product({ price: "4.20" });
  const items = [{ productId, quantity: 2 }];
  const query = `mutation ($input: PlaceOrderInput!) {
    placeOrder(input: $input, idempotencyKey: "graphql") { id customerEmail totalAmount }
  }`;
  const input = { customerEmail: EMAIL.toUpperCase(), items };
  const place = {
    rest: async () => (await post(app, { customerEmail: EMAIL, items }, { key: "rest" })).text,
    graphql: async () => (await execute(app, { query, variables: { input } })).text,
  };
  await place.rest();
  await place.graphql();
  return place;
}

const subscribe = (email: string) =>
  execute(app, { query: `mutation { subscribeToNewsletter(email: "${email}") }` });

/** Leaves the address in as many places as it can be left in. */
async function leaveTraces(): Promise<void> {
  await placeOrders();
  await subscribe(EMAIL);
  const { id } = await app.make.order({ customer_email: EMAIL });
  await app.sql("UPDATE orders SET customer_email = 'other@example.com' WHERE id = $1", [id]);
  await app.sql("UPDATE orders SET customer_email = lower($2) WHERE id = $1", [id, EMAIL]);
  await app.make.order({ customer_email: EMAIL });
  await app.sql("DELETE FROM orders WHERE id = $1", [id + 1]);
  await app.sql("DELETE FROM newsletter_subscribers");
  await app.make.subscriber({ email: EMAIL });
  expect(await atRest(app, { email: EMAIL, password: WRONG })).toBe(400);
  // What receivers of webhooks have answered.
  await app.sql(
    `INSERT INTO webhook_deliveries (endpoint_id, event_id, attempts, state, tries)
     SELECT 1, id, 1, CASE WHEN id % 2 = 0 THEN 'DELIVERED' ELSE 'WAITING' END,
       jsonb_build_array(jsonb_build_object('at', now(), 'status', 200, 'fault', NULL, 'answer', 'To ' || $1))
     FROM events WHERE subject IN ('ORDER', 'NEWSLETTER_SUBSCRIBER')`,
    [EMAIL],
  );
}

interface Entry {
  readonly changes: readonly { field: string; before: string | null; after: string | null }[];
}

const entriesOf = (subject: string): Promise<Entry[]> =>
  app.sql<Entry>("SELECT * FROM audit_entries WHERE subject = $1 ORDER BY id", [subject]);

test("after an erasure the address is in no table, not even in what receivers of webhooks have answered", async () => {
  await leaveTraces();
  expect(await tablesWith(app, EMAIL)).toEqual([
    ...["audit_entries", "customer_addresses", "events", "newsletter_subscribers", "orders"],
    "webhook_deliveries",
  ]);
  const { length } = await app.sql("SELECT FROM login_failures");
  expect(length).toBeGreaterThan(0);
  const [times] = await app.sql<{ first: Date; last: Date }>(
    "SELECT min(created_at) AS first, max(created_at) AS last FROM orders",
  );
  const data = await dataOfCustomer(app, EMAIL);
  const { tombstone, ...erased } = await erase(app, EMAIL);
  expect(await tablesWith(app, EMAIL)).toEqual([]);
  expect(erased).toEqual({ orders: 3, subscriptions: 1, events: 9, auditEntries: 7 });
  expect(data).toEqual({
    ...{ email: EMAIL, orders: 3, events: 9, auditEntries: 7 },
    firstOrderAt: times?.first.toISOString(),
    lastOrderAt: times?.last.toISOString(),
    subscription: { email: EMAIL, isActive: true },
  });
  expect(tombstone).toMatch(TOMBSTONE);
});

test("orders keep their items, totals and states, and each change counts", async () => {
  await placeOrders();
  await app.sql("UPDATE orders SET status = 'PAID' WHERE id = 1");
  const show = () =>
    app.sql<{ customer_email: string; version: number }>("SELECT * FROM orders ORDER BY id");
  const items = () => app.sql("SELECT * FROM order_items ORDER BY id");
  const [before, itemsBefore] = [await show(), await items()];
  const { tombstone } = await erase(app, EMAIL);
  expect(await show()).toEqual(
    before.map((order) => ({ ...order, customer_email: tombstone, version: order.version + 1 })),
  );
  expect(await items()).toEqual(itemsBefore);
  expect(await found(app, "lovelace")).toEqual([]);
  expect(await found(app, tombstone)).toEqual([tombstone, tombstone]);
});

test("a subscription ends, and the address can subscribe anew", async () => {
  await subscribe(EMAIL);
  const { tombstone } = await erase(app, EMAIL);
  const subscribers = () =>
    app.sql("SELECT email, is_active FROM newsletter_subscribers ORDER BY id");
  expect(await subscribers()).toEqual([{ email: tombstone, is_active: false }]);
  await subscribe(EMAIL);
  expect(await subscribers()).toEqual([
    { email: tombstone, is_active: false },
    { email: EMAIL, is_active: true },
  ]);
});

test("a repeated order is answered with the tombstone", async () => {
  const again = await placeOrders();
  const { tombstone } = await erase(app, EMAIL);
  for (const place of Object.values(again)) {
    const text = await place();
    expect(text).toContain(tombstone);
    expect(text.toLowerCase()).not.toContain(EMAIL.toLowerCase());
  }
  expect(await app.sql("SELECT FROM orders")).toHaveLength(2);
});

test("entries keep that something was changed, by whom, and the other values", async () => {
  const { id } = await app.make.order({ customer_email: EMAIL });
  await app.sql("UPDATE orders SET customer_email = 'other@example.com' WHERE id = $1", [id]);
  const before = await entriesOf("ORDER");
  const { tombstone, ...erased } = await erase(app, EMAIL);
  expect(erased).toMatchObject({ orders: 0, auditEntries: 2 });
  const put = (value: string | null) => (value === EMAIL ? tombstone : value);
  const erasedIn = ({ field, ...change }: Entry["changes"][number]) => ({
    ...{ field, before: put(change.before), after: put(change.after) },
  });
  expect(await entriesOf("ORDER")).toEqual(
    before.map((entry) => ({ ...entry, changes: entry.changes.map(erasedIn) })),
  );
  expect(before[1]?.changes).toEqual([
    { field: "customerEmail", before: EMAIL, after: "other@example.com" },
  ]);
});

test("other customers stay, however alike their addresses are", async () => {
  const others = [`x${EMAIL}`, `${EMAIL}.org`, EMAIL.replace(".", "_")];
  for (const email of others) {
    await app.make.order({ customer_email: email });
    await app.make.subscriber({ email });
  }
  const before = await dumpOf(app);
  await app.make.order({ customer_email: EMAIL });
  const { orders, subscriptions, auditEntries } = await erase(app, EMAIL);
  expect([orders, subscriptions, auditEntries]).toEqual([1, 0, 1]);
  const after = await dumpOf(app);
  for (const [table, rows] of Object.entries(before)) {
    expect([table, rows.filter((row) => !after[table]?.includes(row))]).toEqual([table, []]);
  }
});

test("an administrator keeps the account, and stays the one who made changes", async () => {
  const { email } = await app.make.admin({ email: EMAIL });
  await app.sql("UPDATE admins SET is_active = false WHERE email = $1", [email]);
  await app.sql(
    "INSERT INTO audit_entries (actor, door, operation, subject, changes) VALUES ($1, 'REST', 'x', 'ORDER', '[]')",
    [email],
  );
  const before = await entriesOf("ADMINISTRATOR");
  await app.make.order({ customer_email: EMAIL });
  expect(await erase(app, EMAIL)).toMatchObject({ orders: 1, auditEntries: 1 });
  expect(await entriesOf("ADMINISTRATOR")).toEqual(before);
  expect(await tablesWith(app, EMAIL)).toEqual(["admins", "audit_entries"]);
  expect(await app.sql("SELECT FROM admins WHERE email = $1", [EMAIL])).toHaveLength(1);
  expect(await app.sql("SELECT FROM audit_entries WHERE actor = $1", [EMAIL])).toHaveLength(1);
});

test("an erasure that fails half-way changes nothing", async () => {
  await leaveTraces();
  await app.sql(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planned'; END $$`,
  );
  await app.sql(
    `CREATE TRIGGER fail BEFORE INSERT ON audit_entries FOR EACH ROW WHEN (NEW.subject = 'CUSTOMER')
     EXECUTE FUNCTION fail()`,
  );
  const before = await dumpOf(app);
  const query = `mutation { eraseCustomer(email: "${EMAIL}") { tombstone } }`;
  expect((await refusalOf(app, query)).http.statusCode).toBe(500);
  expect(await dumpOf(app)).toEqual(before);
  await app.sql("DROP TRIGGER fail ON audit_entries");
  expect(await erase(app, EMAIL)).toMatchObject({ orders: 3, subscriptions: 1, auditEntries: 7 });
});

test("a service whose role does not own the audit log refuses to erase, and says who can", async () => {
  const { name: role, url } = await createRole(app.database.url);
  await app.sql(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
  await app.sql(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
  await app.make.order({ customer_email: EMAIL });
  const other = await startReplica(app, { database: { url } });
  try {
    const before = await dumpOf(app);
    const query = `mutation { eraseCustomer(email: "${EMAIL}") { tombstone } }`;
    expect(await refusalOf(other, query)).toMatchObject({
      code: "CONFLICT",
      http: {
        statusCode: 409,
        message: expect.stringMatching(
          `^Only the role .* may erase customers, and the service logs in as ${role}$`,
        ),
      },
    });
    expect(await dumpOf(app)).toEqual(before);
    const refused = await tea(`customers erase ${EMAIL}`, {
      environment: { DATABASE_URL: url },
    });
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: Only the role /),
    });
    expect(await dumpOf(app)).toEqual(before);
  } finally {
    await other.close();
    await app.sql(`GRANT ${role} TO CURRENT_USER`);
    await app.sql(`DROP OWNED BY ${role}`);
  }
});

test.each(["", "ada", "ada@example.com\u0007", `${"a".repeat(250)}@example.com`])(
  "%j is no address, at either operation",
  async (email) => {
    for (const operation of [
      "query ($email: String!) { customerData(email: $email) { orders } }",
      "mutation ($email: String!) { eraseCustomer(email: $email) { orders } }",
    ]) {
      const { code, http } = await refusalOf(app, operation, { email });
      expect([code, http.statusCode, http.message]).toEqual([
        "BAD_USER_INPUT",
        400,
        [expect.stringMatching(/^email must/)],
      ]);
    }
    expect(await entriesOf("CUSTOMER")).toEqual([]);
  },
);

test("more orders and entries than one statement changes are all erased", async () => {
  await app.sql(
    `INSERT INTO orders (customer_email, total_amount) SELECT $1, 1 FROM generate_series(1, 1201)`,
    [EMAIL],
  );
  expect(await erase(app, EMAIL)).toMatchObject({ orders: 1201, auditEntries: 1201 });
  expect(await tablesWith(app, EMAIL)).toEqual([]);
});
