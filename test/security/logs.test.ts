import { useApp } from "../support/app";
import { PASSWORD } from "../support/factories";
import { secretsIn } from "../support/log-secrets";
import { send, sendBytes, sendJson } from "../support/raw-http";
import { hostileTexts } from "./payloads";

const EMAIL = "mina.lind@example.com";
const CUSTOMER = "otto.customer@shop.example.org";

let token: string;
let hash: string;
const app = useApp();
beforeAll(async () => {
  await app.make.admin({ email: EMAIL });
  const { body } = await app.http.post("/auth/login").send({ email: EMAIL, password: PASSWORD });
  token = body.access_token;
  const [row] = await app.sql<{ password_hash: string }>("SELECT password_hash FROM admins");
  hash = row!.password_hash;
});

/** All that was logged, when the entries of this many requests are there. */
async function logged(from: number, requests: number): Promise<string> {
  const isThere = () =>
    app.log.slice(from).filter((line) => line.includes('"milliseconds"')).length >= requests;
  for (let turn = 0; turn < 10_000 && !isThere(); turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return app.log.slice(from).join("");
}

function expectNoSecrets(text: string): void {
  for (const secret of [PASSWORD, token, hash, EMAIL, CUSTOMER, app.settings.tokens.secret]) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toMatch(/mina\.lind|otto\.customer/);
}

const json = (body: object): string => JSON.stringify(body);

const encoded = (text: string, times: number): string =>
  times === 0 ? text : encodeURIComponent(encoded(text, times - 1));

const post = (path: string, body: object) => sendJson(app.url, "POST", path, json(body));
const get = (path: string, headers = {}) => send(app.url, { method: "GET", path, headers });

const login = `login(input: { email: "${EMAIL}", password: "${PASSWORD}" }) { accessToken }`;
const byVariable = "mutation ($i: LoginInput!) { login(input: $i) { accessToken } }";

test.each<[string, () => Promise<unknown>]>([
  ["a login", () => post("/auth/login", { email: EMAIL, password: PASSWORD })],
  ["a failed login", () => post("/auth/login", { email: CUSTOMER, password: PASSWORD })],
  ["a login at GraphQL", () => post("/graphql", { query: `mutation { ${login} }` })],
  [
    "a document that is no GraphQL",
    () => post("/graphql", { query: `{ ${EMAIL} "${PASSWORD}" ${token}` }),
  ],
  [
    "variables of a wrong type",
    () =>
      post("/graphql", {
        query: byVariable,
        variables: { i: { email: EMAIL, password: [PASSWORD, token] } },
      }),
  ],
  ["an invalid order", () => post("/orders", { customerEmail: CUSTOMER, [PASSWORD]: token })],
  ["malformed JSON", () => sendJson(app.url, "POST", "/orders", `{"email":"${EMAIL}",`)],
  [
    "a list of a customer's orders",
    () =>
      get(`/orders?customerEmail=${CUSTOMER}&access_token=${token}`, {
        authorization: `Bearer ${token}`,
        cookie: `t=${token}`,
      }),
  ],
  ["an address in a path", () => get(`/orders/${CUSTOMER}`)],
  ["a token in a path", () => get(`/reset/${token}`)],
  ["a hash in a path", () => get(`/x/${hash.slice(0, 60)}`)],
  ["an address that proxies have encoded", () => get(`/orders/${encoded(CUSTOMER, 4)}`)],
])("%s leaves no secret in the log", async (_label, request) => {
  const from = app.log.length;
  await request();
  expectNoSecrets(await logged(from, 1));
});

/** A text that a database might put in its message, as its own cause. */
const told = () =>
  `row (${CUSTOMER}, "${EMAIL}", ${hash}) by ${token} over postgres://shop:s3cr3t-word@db.example.com/tea`;

test.each([
  ["at REST", "/orders"],
  ["at GraphQL", "/graphql"],
])("a fault whose message tells everything is logged without secrets: %s", async (_, path) => {
  const { id } = await app.make.product();
  const input = { customerEmail: CUSTOMER, items: [{ productId: id, quantity: 1 }] };
  const query = "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { id } }";
  await app.sql(
    `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'failing %', '${told()}'; END $$`,
  );
  await app.sql("CREATE TRIGGER fail BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION fail()");
  try {
    const from = app.log.length;
    const body = path === "/orders" ? input : { query, variables: { input } };
    const { status, text } = await sendJson(app.url, "POST", path, json(body));
    expect(status).toBe(path === "/orders" ? 500 : 200);
    expect(text).toContain("Internal Server Error");
    expect(text).not.toContain("failing");

    const entries = await logged(from, 1);
    expect(entries).toContain("failing");
    expect(entries).toContain("o***@shop.example.org");
    expectNoSecrets(entries);
    expect(entries).not.toContain("s3cr3t-word");
    expect(entries).toMatch(/postgres:\/\/shop:\*+@db\.example\.com\/tea/);
  } finally {
    await app.sql("DROP TRIGGER fail ON orders");
  }
});

test("every hostile path is one line of JSON that forges nothing", async () => {
  const from = app.log.length;
  const paths = hostileTexts.map((text) => `/${encodeURIComponent(text)}`);
  for (const path of paths) await send(app.url, { method: "GET", path });
  const raw = [
    'GET /a"b\\{"level":60,"msg":"forged"} HTTP/1.1',
    "GET /\u001b[31mred HTTP/1.1",
    "GET /caf\u00e9 HTTP/1.1",
    "GET //x HTTP/1.1",
    "GET http://shop/y HTTP/1.1",
  ];
  for (const request of raw) await sendBytes(app.url, `${request}\r\nHost: shop\r\n\r\n`);
  await logged(from, paths.length);
  for (const line of app.log.slice(from)) {
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(JSON.parse(line)).toMatchObject({ level: "info", msg: "answered" });
    // Nothing that a terminal acts on.
    expect(line.slice(0, -1)).toMatch(/^[^\p{Cc}]*$/u);
  }
});

test.each([
  ["an answer", "GET", "/products", 200],
  ["a HEAD", "HEAD", "/categories", 200],
  ["a refusal", "GET", "/products/x", 400],
  ["no token", "GET", "/orders", 401],
  ["an unknown route", "GET", "/nope", 404],
  ["a method that nothing takes", "PUT", "/products", 404],
  ["GraphQL by GET", "GET", "/graphql", 400],
  ["a path that can't be decoded", "GET", "/%ZZ", 404],
  ["an absolute address", "GET", "http://shop/nope", 404],
])("a query string stays out of the log: %s", async (_label, method, path, status) => {
  const from = app.log.length;
  // Words that no mask knows.
  const query = "?search=geheim&geheim&x=1?geheim#geheim";
  expect((await send(app.url, { method, path: path + query })).status).toBe(status);
  const entries = await logged(from, 1);
  expect(entries).toContain(`"status":${status}`);
  expect(entries).not.toContain("geheim");
});

test.each([
  ["a word", "a", () => "", "/bbbbbbbb"],
  ["a token that the end of it would cut", "a/", () => `/${token}`, "/[token]/"],
  ["an address that the end of it would cut", "a/", () => `/${EMAIL}`, "/m***@exa"],
])("a long path is logged up to 1,000 characters, and said to be cut: %s", async (...given) => {
  const [, word, end, lastLogged] = given;
  const from = app.log.length;
  const before = `/${word.repeat(990 / word.length)}`;
  const path = `${before}${end()}/${"b".repeat(8_000)}`;
  expect((await send(app.url, { method: "GET", path })).status).toBe(404);
  const entries = await logged(from, 1);
  expectNoSecrets(entries);
  const entry = JSON.parse(entries) as { path: string };
  const expected = before + lastLogged;
  expect(expected).toHaveLength(1000);
  expect(entry.path).toBe(`${expected}… (${path.length} characters, cut)`);
});

test("the check of every test's log finds what it looks for", () => {
  const entries = [
    `{"msg":"${token}"}`,
    `{"msg":"${hash}"}`,
    '{"msg":"ada@example.com"}',
    '{"msg":"ada%40example.com"}',
    '{"msg":"postgres://me:pass@host/d"}',
    `{"msg":"${PASSWORD}"}`,
  ];
  for (const entry of entries) {
    expect(secretsIn([entry], { "a password": PASSWORD })).not.toEqual([]);
  }
  const masked = ['{"msg":"a***@example.com [token] [hash] postgres://me:***@host/d"}'];
  expect(secretsIn(masked, { "a password": PASSWORD })).toEqual([]);
});
