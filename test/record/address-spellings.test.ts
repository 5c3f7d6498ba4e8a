import { execute } from "../graphql/client";
import { tea } from "../cli/terminal";
import { startApp, type TestApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { tablesWith } from "../support/dump";
import { eventually } from "../support/eventually";
import { send } from "../support/raw-http";
import { dataOfCustomer, erase, found, isWaiting, orderBySql, sessionOf } from "./customers";

jest.setTimeout(60_000);

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

const COMPOSED = "Zo\u00EB@b\u00FCcher.example.com";
const DECOMPOSED = COMPOSED.normalize("NFD");
const PUNYCODE = "zo\u00EB@xn--bcher-kva.example.com";
const PUNYCODE_DECOMPOSED = PUNYCODE.normalize("NFD").toUpperCase();

/** Spellings of one address. */
const spellings = {
  composed: COMPOSED,
  decomposed: DECOMPOSED,
  "with the domain in punycode": PUNYCODE,
  "decomposed, with the domain in punycode and in capitals": PUNYCODE_DECOMPOSED,
};

/** Stores orders and a subscription as earlier releases have: in every spelling of the address. */
async function leaveTraces(): Promise<void> {
  for (const customer_email of Object.values(spellings)) {
    const { id } = await app.make.order({ customer_email });
    await app.sql("UPDATE orders SET customer_email = 'other@example.com' WHERE id = $1", [id]);
    await app.sql("UPDATE orders SET customer_email = $2 WHERE id = $1", [id, customer_email]);
  }
  await app.make.subscriber({ email: DECOMPOSED });
  await app.make.order({ customer_email: "zoe@bucher.example.com" });
}

const byFilter = async (email: string): Promise<number> => {
  const answer = await send(app.url, {
    method: "GET",
    path: `/orders?customerEmail=${encodeURIComponent(email)}`,
    headers: { authorization: app.asAdmin },
  });
  return (answer.body as { meta: { total: number } }).meta.total;
};

const exported = async (email: string) => {
  const { stdout } = await tea(["customers", "export", email], {
    environment: { DATABASE_URL: app.database.url },
  });
  return JSON.parse(stdout) as Record<string, readonly object[] | null>;
};

clauseEach(
  "2.e-mails.spellings",
  "customerData, export, filters and erasure find each stored spelling of an address",
  { doors: ["REST", "GraphQL"] },
  spellings,
  async (email) => {
    await leaveTraces();
    expect(await dataOfCustomer(app, email)).toMatchObject({
      email,
      orders: 4,
      subscription: { email: DECOMPOSED, isActive: true },
      events: 9,
      auditEntries: 13,
    });
    expect(await byFilter(email)).toBe(4);
    const file = await exported(email);
    expect(file.orders).toHaveLength(4);
    expect(file.auditEntries).toHaveLength(13);
    expect(file.events).toHaveLength(9);
    expect(file.subscription).toMatchObject({ email: DECOMPOSED });
    expect(await erase(app, email)).toMatchObject({
      orders: 4,
      subscriptions: 1,
      events: 9,
      auditEntries: 13,
    });
    for (const spelling of Object.values(spellings)) {
      expect([spelling, await tablesWith(app, spelling)]).toEqual([spelling, []]);
    }
    expect(await byFilter("zoe@bucher.example.com")).toBe(1);
  },
);

test("a customer who is active by one spelling is not erased as inactive by another", async () => {
  const since = new Date("2026-01-01T00:00:00Z");
  const old = new Date("2020-01-01T00:00:00Z");
  for (const customer_email of ["a\u00E9@example.com", "b\u00E9@example.com", "c@example.com"]) {
    await app.make.order({ customer_email: customer_email.normalize("NFD"), created_at: old });
  }
  await app.make.order({ customer_email: "a\u00E9@example.com" });
  await app.make.order({ customer_email: "b\u00E9@example.com", created_at: old });
  const run = (...options: string[]) =>
    tea(["customers", "erase", "--inactive-since", since.toISOString(), ...options], {
      environment: { DATABASE_URL: app.database.url },
    });
  expect((await run("--dry-run")).stdout).not.toContain("ae\u0301@");
  expect((await run()).stdout).toMatch(
    /^erased-\S+ {2}2 orders, [^\n]*\nerased-\S+ {2}1 order, [^\n]*\nErased 2 customers without/,
  );
  expect(await byFilter("a\u00E9@example.com")).toBe(2);
});

test("a part of an address is found composed and decomposed", async () => {
  await app.make.order({ customer_email: COMPOSED });
  await app.make.order({ customer_email: DECOMPOSED });
  for (const form of ["NFC", "NFD"]) {
    expect(await found(app, "b\u00FCCHER".normalize(form))).toHaveLength(2);
  }
});

test("an address that is subscribed in another spelling is not subscribed twice, and ends by any", async () => {
  await app.make.subscriber({ email: DECOMPOSED, is_active: false });
  const mutate = async (field: string, email: string) =>
    (
      await execute(
        app,
        {
          query: `mutation ($email: String!) { done: ${field}(email: $email) }`,
          variables: { email },
        },
        app.asAdmin,
      )
    ).body.data;
  for (const email of Object.values(spellings)) {
    expect(await mutate("subscribeToNewsletter", email)).toEqual({ done: true });
    expect(await app.sql("SELECT email, is_active FROM newsletter_subscribers")).toEqual([
      { email: DECOMPOSED, is_active: true },
    ]);
    expect(await mutate("unsubscribeFromNewsletter", email)).toEqual({ done: true });
    expect(await mutate("unsubscribeFromNewsletter", email)).toEqual({ done: false });
  }
});

test("an erasure waits for an order under way in another spelling, and two of them don't block each other", async () => {
  const email = "b\u00E9@example.com";
  const other = email.normalize("NFD");
  await app.make.order({ customer_email: email });
  const beside = await sessionOf(app);
  try {
    await beside.query("BEGIN");
    await orderBySql(beside, other);
    const erasures = [erase(app, email), erase(app, other)];
    await eventually(() => isWaiting(app));
    await beside.query("COMMIT");
    const orders = (await Promise.all(erasures)).map((erased) => erased.orders);
    expect(orders.toSorted()).toEqual([0, 2]);
  } finally {
    await beside.end();
  }
  expect(await tablesWith(app, email)).toEqual([]);
  expect(await tablesWith(app, other)).toEqual([]);
});
