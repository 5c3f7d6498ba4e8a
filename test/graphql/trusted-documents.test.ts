import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { getIntrospectionQuery } from "graphql";
import { isOwnDocument, LOGIN } from "../../src/graphql/operation/documents/trusted-documents";
import { startReplica, useApp } from "../support/app";
import { keptBy } from "../support/kept-answers";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { send, sendJson, type Answer } from "../support/raw-http";
import { extensionsOf, refusedOperation } from "../support/refusals";
import { tokenFor } from "../support/tokens";

jest.setTimeout(60_000);

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const NAMES = "query Names($size: Int! = 10) { products(pageSize: $size) { data { name } } }";
const SUBSCRIBE = 'mutation Subscribe { subscribeToNewsletter(email: "mina@example.com") }';
const ORDERS = "query Orders { orders { meta { total } } }";
const SHOW = "query Show($lookup: String!) { orderByLookup(lookup: $lookup) { id } }";
const documents = new Map([NAMES, SUBSCRIBE, ORDERS, SHOW].map((each) => [sha256(each), each]));

/** A document that is not in the list. */
const OTHER = "query Other { products { data { name } } }";

const app = useApp({ catalogue: { cache: true }, graphql: { documents } });
let productId: number;
beforeAll(async () => {
  productId = (await app.make.product({ name: "Assam" })).id;
});
afterAll(() => {
  expect(app.log.filter((line) => line.includes("unexpected failure"))).toEqual([]);
});

const post = (request: object, headers = {}, shop = app): Promise<Answer> =>
  sendJson(shop.url, "POST", "/graphql", JSON.stringify(request), headers);

const hashed = (document: string) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: sha256(document) } },
});

const get = (parameters: Record<string, string | object>, headers = {}): Promise<Answer> => {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const search = new URLSearchParams(texts).toString();
  return send(app.url, { method: "GET", path: `/graphql?${search}`, headers });
};

const assam = { data: { products: { data: [{ name: "Assam" }] } } };
const forbidden = refusedOperation(403, "Forbidden resource");
const notFound = refusedOperation(400, "PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND");

graphqlClauseEach<() => Promise<Answer>>(
  "10.documents",
  "a document of the list may be sent by everybody, as its hash or as a text",
  {
    "its hash by POST": () => post(hashed(NAMES)),
    "its hash by GET": () => get(hashed(NAMES)),
    "its hash with variables and a name": () =>
      post({ ...hashed(NAMES), variables: { size: 5 }, operationName: "Names" }),
    "its text": () => post({ query: NAMES }),
    "its text by GET": () => get({ query: NAMES }),
    "its text beside its hash": () => post({ ...hashed(NAMES), query: NAMES }),
    "its hash with a bad token": () => post(hashed(NAMES), { authorization: "Bearer x.y.z" }),
  },
  async (request) => {
    for (const turn of [1, 2]) {
      const { status, body } = await request();
      expect([turn, status, body]).toEqual([turn, 200, assam]);
    }
  },
);

graphqlClauseEach<() => Promise<Answer>>(
  "10.documents.unknown",
  "an unknown hash is told apart, so that clients know it",
  {
    "by POST": () => post(hashed(OTHER)),
    "by GET": () => get(hashed(OTHER)),
    "in capitals": () =>
      post({ extensions: { persistedQuery: { sha256Hash: sha256(NAMES).toUpperCase() } } }),
    "the name of a prototype": () =>
      post({ extensions: { persistedQuery: { sha256Hash: "__proto__" } } }),
    "from an administrator": () => post(hashed(OTHER), { authorization: app.asAdmin }),
  },
  async (request) => {
    const { status, body } = await request();
    expect([status, body]).toEqual([200, notFound]);
  },
);

const strangers: Record<string, () => Record<string, string>> = {
  nobody: () => ({}),
  "a bad token": () => ({ authorization: "Bearer x.y.z" }),
  "a token of a role that is not allowed": () => {
    const token = tokenFor({ id: 1, email: "a@b.co", role: "NOBODY" }, app.settings.tokens.secret);
    return { authorization: `Bearer ${token}` };
  },
  "a token of an account that is gone": () => {
    const token = tokenFor({ id: 999, email: "a@b.co", role: "ADMIN" }, app.settings.tokens.secret);
    return { authorization: `Bearer ${token}` };
  },
};

graphqlClauseEach(
  "10.documents.others",
  "any other document is refused before it is parsed",
  strangers,
  async (headers) => {
    const texts = [
      OTHER,
      `${NAMES} `,
      "{ nope }",
      "{",
      "mutation { subscribeToNewsletter(email: 1) }",
      `{ a${"{ a".repeat(300)}${"}".repeat(300)} }`,
      `${LOGIN} query B { __typename }`,
    ];
    for (const query of texts) {
      const cost = { extensions: { cost: true } };
      for (const rest of [{}, { operationName: "Nope" }, hashed(NAMES), cost]) {
        const { status, body } = await post({ query, ...rest }, headers());
        expect([query, status, body]).toEqual([query, 200, forbidden]);
      }
      const { body } = await get({ query }, headers());
      expect([query, body]).toEqual([query, forbidden]);
    }
  },
);

graphqlClause("10.documents.others", "an administrator may send any document", async () => {
  const headers = { authorization: app.asAdmin };
  expect((await post({ query: OTHER }, headers)).body).toEqual(assam);
  expect((await get({ query: OTHER }, headers)).body).toEqual(assam);
  expect((await post({ query: "{" }, headers)).text).toContain("GRAPHQL_PARSE_FAILED");
  const deep = `{ a${"{ a".repeat(300)}${"}".repeat(300)} }`;
  expect((await post({ query: deep }, headers)).text).toContain("nested deeper than 200");
  expect((await post({ query: ORDERS }, headers)).body).toEqual({
    data: { orders: { meta: { total: 0 } } },
  });
});

graphqlClause("10.documents", "being in the list gives no rights", async () => {
  const { body } = await post(hashed(ORDERS));
  expect(body).toMatchObject({ errors: [{ extensions: extensionsOf(401) }] });
  expect((await get(hashed(SUBSCRIBE))).status).toBe(405);
  expect(await app.sql("SELECT email FROM newsletter_subscribers")).toEqual([]);
  expect((await post(hashed(SUBSCRIBE))).body).toEqual({ data: { subscribeToNewsletter: true } });
});

graphqlClause("10.lookup.post", "a lookup in a URL is refused, hash or not", async () => {
  const input = { customerEmail: "ada@example.com", items: [{ productId, quantity: 1 }] };
  const { body } = await post(
    {
      query: "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { id lookup } }",
      variables: { input },
    },
    { authorization: app.asAdmin },
  );
  const { data } = body as { data: { placeOrder: { id: number; lookup: string } } };
  const { lookup, ...order } = data.placeOrder;
  const request = { ...hashed(SHOW), variables: { lookup } };
  const refused = await get(request);
  expect([refused.status, refused.headers.allow]).toEqual([405, "POST"]);
  expect(refused.text).not.toContain(lookup);
  expect((await post(request)).body).toEqual({ data: { orderByLookup: order } });
});

graphqlClause("10.documents.own", "signing in and introspection are always possible", async () => {
  const { email } = await app.make.admin();
  const variables = { input: { email, password: PASSWORD } };
  for (const request of [{ query: LOGIN }, hashed(LOGIN)]) {
    const { body } = await post({ ...request, variables });
    expect(body).toEqual({ data: { login: { accessToken: expect.any(String) } } });
  }
  for (const options of [
    ...[{}, { descriptions: false }, { specifiedByUrl: true }, { directiveIsRepeatable: true }],
    ...[{ inputValueDeprecation: true }, { schemaDescription: true, oneOf: true }],
  ]) {
    const query = getIntrospectionQuery(options);
    const condensed = query.replaceAll(/\s+/g, " ");
    // GraphiQL asks for the kind of a type before its name, all the way down.
    const below = `${"ofType { kind name ".repeat(9)}${"} ".repeat(10)}`;
    const inGraphiql = condensed.replace(
      /fragment TypeRef.*/,
      `fragment TypeRef on __Type { kind name ${below}`,
    );
    const texts = [query, condensed, inGraphiql].map((each) => ({ query: each }));
    for (const request of [...texts, hashed(getIntrospectionQuery())]) {
      const { text } = await post(request);
      expect(text).toContain("ProductConnection");
      expect(text).not.toContain("errors");
    }
  }
});

test("what the explorer sends before anybody has signed in is the service's own", () => {
  const file = path.join(__dirname, "../../src/explorer/static/assets/explorer.js");
  expect(readFileSync(file, "utf8")).toContain(JSON.stringify(LOGIN));
  expect(isOwnDocument(` ${LOGIN}\n`)).toBe(true);
  expect(isOwnDocument(LOGIN.replace("accessToken", "accessToken accessToken"))).toBe(false);
  expect(isOwnDocument(`${LOGIN}${" ".repeat(100_000)}`)).toBe(false);
});

test("what the admin app sends before anybody has signed in is the service's own", () => {
  const files = ["session/auth-provider.ts", "session/passkeys.ts", "session/invitation.tsx"];
  const documents = files.flatMap((file) =>
    readFileSync(path.join(__dirname, "../../admin", file), "utf8").split("`"),
  );
  const names = ["Login(", "LoginWithPasskey(", "StartPasskeyLogin ", "AcceptInvitation("];
  for (const name of names) {
    const document = documents.find((text) => text.trim().startsWith(`mutation ${name}`));
    expect([name, isOwnDocument(document ?? "")]).toEqual([name, true]);
  }
});

test("answers to documents of the list are kept, those to others are not", async () => {
  const admin = { authorization: app.asAdmin };
  expect(await keptBy(app, () => post(hashed(NAMES)))).toBe(1);
  expect(await keptBy(app, () => get(hashed(NAMES)))).toBe(1);
  expect(await keptBy(app, () => post({ query: NAMES }, admin))).toBe(1);
  expect(await keptBy(app, () => post({ query: OTHER }, admin))).toBe(0);
  expect(await keptBy(app, () => get({ query: OTHER }, admin))).toBe(0);
  const cost = { ...hashed(NAMES).extensions, cost: true };
  expect(await keptBy(app, () => post({ extensions: cost }))).toBe(0);
  expect((await post({ extensions: cost })).text).toContain('"maxCost":2000');
  // What an administrator was told is not told to others.
  expect((await post({ query: OTHER }, admin)).body).toEqual(assam);
  expect((await post({ query: OTHER })).body).toEqual(forbidden);
});

test("where the token can't be checked, that is the answer", async () => {
  const away = await startReplica(app, { database: { url: "postgres://shop@127.0.0.1:1/shop" } });
  try {
    const ask = async (headers: object) => (await post({ query: OTHER }, headers, away)).body;
    expect(await ask({ authorization: app.asAdmin })).toMatchObject({
      errors: [{ extensions: { code: "SERVICE_UNAVAILABLE", http: { statusCode: 503 } } }],
    });
    expect(await ask({ authorization: "Bearer x.y.z" })).toEqual(forbidden);
  } finally {
    await away.close();
  }
});
