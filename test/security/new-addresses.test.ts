import { execute } from "../graphql/client";
import { doors, orderCount, post } from "../idempotency/place";
import { tea } from "../cli/terminal";
import { startApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { sendJson } from "../support/raw-http";
import { expectRefused } from "../support/refusals";
import { storingNothing } from "../support/stored";
import { dataOfCustomer, erase } from "../record/customers";

jest.setTimeout(60_000);

let app: TestApp;
let productId: number;
beforeAll(async () => {
  app = await startApp({ login: { failureLimit: 3, addressFailureLimit: 0 } });
  ({ id: productId } = await app.make.product({ price: "4.20" }));
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.sql("DELETE FROM orders");
  await app.sql("DELETE FROM newsletter_subscribers");
});

const orderOf = (customerEmail: string) => ({ customerEmail, items: [{ productId, quantity: 1 }] });

const atNewsletter = async (field: string, email: string) => {
  const query = `mutation ($email: String!) { done: ${field}(email: $email) }`;
  const { body } = await execute(app, { query, variables: { email } }, app.asAdmin);
  return body.errors?.[0]?.extensions.http ?? (body.data as { done: boolean }).done;
};

const login = async (email: string): Promise<number> =>
  (await sendJson(app.url, "POST", "/auth/login", JSON.stringify({ email, password: PASSWORD })))
    .status;

const admin = (command: string[]) =>
  tea(["admin", ...command], {
    input: `${PASSWORD}\n`,
    environment: { DATABASE_URL: app.database.url, BCRYPT_COST: "4" },
  });

/** Addresses with what nobody sees, each of which may be stored from before. */
const unseen = {
  "a zero-width space": "ada\u200B@example.com",
  "a zero-width space in the domain": "ada@exam\u200Bple.com",
  "a zero-width joiner": "a\u200Dda@example.com",
  "a soft hyphen": "a\u00ADda@example.com",
  "a word joiner": "ada\u2060@example.com",
  "a byte order mark": "\uFEFFada@example.com",
  "a mark of direction": "ada\u200E@example.com",
  "an override of the direction": "\u202Emoc.elpmaxe@example.com",
  "an isolate": "\u2066ada\u2069@example.com",
  "a line separator": "ada\u2028@example.com",
  "a paragraph separator": "ada\u2029@example.com",
  "a variation selector": "ada\uFE0F@example.com",
  "a Hangul filler": "ada\u3164@example.com",
  "a combining grapheme joiner": "ada\u034F@example.com",
  "a blank that is no space": "ada\u2003@example.com",
  "a blank Braille pattern": "ada\u2800@example.com",
  "a format character that has a glyph": "ada\u0600@example.com",
  "an invisible character in quotes": '"tea\u200B customer"@example.com',
  "the domain of erased customers": "ada@erased.invalid",
  "the domain of erased customers in capitals": "Grace@Erased.INVALID",
  "what IDNA takes for the domain of erased customers": "ada@era\u017Fed.invalid",
};

clauseEach(
  "4.texts.e-mails.new",
  "an address with what nobody sees is refused as a new one, but found where it is stored",
  { doors: ["REST", "GraphQL"] },
  unseen,
  async (email) => {
    const refusal = (field: string) => ({
      statusCode: 400,
      message: [`${field} must be an email`],
      error: "Bad Request",
    });
    expectRefused(
      await storingNothing(app, () => app.http.post("/orders").send(orderOf(email))),
      400,
      ["customerEmail must be an email"],
    );
    for (const place of Object.values(doors)) {
      expect((await place(app, orderOf(email))).status).toBe(400);
    }
    expect(await atNewsletter("subscribeToNewsletter", email)).toEqual(refusal("email"));
    await expect(
      app.shop.services.accounts.create({ email, password: PASSWORD }),
    ).rejects.toMatchObject({ code: "INVALID_INPUT", messages: ["email must be an email"] });

    await app.make.order({ customer_email: email });
    await app.make.subscriber({ email });
    const { email: stored } = await app.make.admin({ email });
    const filtered = await app.http
      .get("/orders")
      .query({ customerEmail: email })
      .set("Authorization", app.asAdmin);
    expect([filtered.status, filtered.body.meta.total]).toEqual([200, 1]);
    expect(await login(stored)).toBe(200);
    expect(await dataOfCustomer(app, email)).toMatchObject({ orders: 1, subscription: { email } });
    const exported = await tea(["customers", "export", email], {
      environment: { DATABASE_URL: app.database.url },
    });
    expect(JSON.parse(exported.stdout)).toMatchObject({ orders: [{ customerEmail: email }] });
    expect(await atNewsletter("unsubscribeFromNewsletter", email)).toBe(true);
    expect(await erase(app, email)).toMatchObject({ orders: 1, subscriptions: 1 });
  },
);

test("the command line creates no account with what nobody sees, and asks for no password", async () => {
  for (const email of ["ada\u200B@example.com", "ada@erased.invalid"]) {
    const { exitCode, stderr } = await admin(["create", email]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("It must be an e-mail address"),
    ]);
  }
});

const COMPOSED = "Zo\u00EB@caf\u00E9.example.com";
const DECOMPOSED = COMPOSED.normalize("NFD");

clause(
  "4.texts.e-mails.new",
  "new addresses are stored in NFC, and otherwise as given",
  { doors: ["REST", "GraphQL"] },
  async () => {
    for (const place of Object.values(doors)) {
      expect((await place(app, orderOf(DECOMPOSED))).order).toMatchObject({ status: "PENDING" });
    }
    expect(await app.sql("SELECT DISTINCT customer_email FROM orders")).toEqual([
      { customer_email: COMPOSED },
    ]);
    expect(await atNewsletter("subscribeToNewsletter", DECOMPOSED)).toBe(true);
    expect(await app.sql("SELECT email FROM newsletter_subscribers")).toEqual([
      { email: COMPOSED },
    ]);
    expect((await admin(["create", DECOMPOSED])).stdout).toBe(
      `Created administrator ${COMPOSED}\n`,
    );
    expect(await app.sql("SELECT email FROM admins WHERE email = $1", [COMPOSED])).toHaveLength(1);
    for (const email of [COMPOSED, DECOMPOSED, "Zo\u00EB@xn--caf-dma.example.com"]) {
      expect([email, await login(email)]).toEqual([email, 200]);
    }
    expect((await admin(["deactivate", DECOMPOSED])).stdout).toBe(
      `Administrator ${COMPOSED} is deactivated\n`,
    );
  },
);

clause(
  "4.texts.e-mails.new",
  "an order with a decomposed address replays the one with the composed address",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const key = "one-order";
    const first = await post(app, orderOf(DECOMPOSED), { key });
    const again = await post(app, orderOf(COMPOSED), { key });
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    for (const email of [COMPOSED, DECOMPOSED]) {
      const { order } = await doors.GraphQL!(app, orderOf(email), { key });
      expect(order?.id).toBe((first.body as { id: number }).id);
    }
    expect(await orderCount(app)).toBe(1);
  },
);

test("of two accounts in two spellings, each logs in by its own", async () => {
  const composed = "gr\u00E9ta@example.com";
  const decomposed = composed.normalize("NFD");
  const { id: first } = await app.make.admin({ email: decomposed });
  const { id: second } = await app.make.admin({ email: composed });
  const idOf = async (email: string) => {
    const body = JSON.stringify({ email, password: PASSWORD });
    const answer = await sendJson(app.url, "POST", "/auth/login", body);
    const { access_token } = answer.body as { access_token: string };
    const [, claims = ""] = access_token.split(".");
    return (JSON.parse(Buffer.from(claims, "base64url").toString()) as { id: number }).id;
  };
  expect([await idOf(decomposed), await idOf(composed)]).toEqual([first, second]);
});

test("spellings of one address share the limit of failed logins", async () => {
  const spellings = [
    "lou\u00E9@caf\u00E9.de",
    "loue\u0301@cafe\u0301.de",
    "lou\u00E9@xn--caf-dma.de",
  ];
  expect(await Promise.all(spellings.map(login))).toEqual([400, 400, 400]);
  expect(await Promise.all(spellings.map(login))).toEqual([429, 429, 429]);
});

test("an address of 254 characters that grows when it is composed is refused", async () => {
  // U+0958 is excluded from composition.
  const email = `${"\u0958".repeat(20)}@${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(60)}.${"g".repeat(46)}.com`;
  expect([email.length, email.normalize("NFC").length]).toEqual([254, 274]);
  expect((await post(app, orderOf(email))).status).toBe(400);
});

test("hostile sequences of marks are refused without being normalised", async () => {
  const marks = `a${"\u0301\u0323".repeat(15_000)}@example.com`;
  expect((await post(app, orderOf(marks))).status).toBe(400);
  expect(await login(marks)).toBe(400);
});
