import { startReplica, useApp, type TestApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { send, sendJson } from "../support/raw-http";
import { errorBody } from "../support/refusals";
import { dataOf, execute } from "./client";

jest.setTimeout(60_000);

let productId: number;
const app = useApp();
beforeAll(async () => {
  productId = (await app.make.product({ name: "Sencha", price: "4.20" })).id;
});

const PLACE = `mutation ($input: PlaceOrderInput!, $key: String) {
  placeOrder(input: $input, idempotencyKey: $key) { id lookup }
}`;

interface Placed {
  readonly id: number;
  readonly lookup: string;
}

/** An order of a product, placed without a token. */
async function place(at: TestApp = app, key?: string): Promise<Placed> {
  const input = { customerEmail: "ada@example.com", items: [{ productId, quantity: 2 }] };
  const { body } = await execute(at, { query: PLACE, variables: { input, key } });
  return (body.data as { placeOrder: Placed }).placeOrder;
}

const BY_LOOKUP = "query ($lookup: String!) { orderByLookup(lookup: $lookup) { id lookup } }";

/** The order that a text shows to somebody without a token. */
async function found(lookup: string, at: TestApp = app): Promise<Placed | null> {
  const { body } = await execute(at, { query: BY_LOOKUP, variables: { lookup } });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return (body.data as { orderByLookup: Placed | null }).orderByLookup;
}

const signatureIn = (lookup: string): string => lookup.slice(lookup.indexOf(".") + 1);

graphqlClause("10.lookup", "a lookup shows its order as it is now, to anybody", async () => {
  const { id, lookup } = await place();
  expect(lookup).toMatch(new RegExp(`^${id}\\.[\\w-]{43}$`));
  await dataOf(app, `mutation { setOrderStatus(id: ${id}, status: PAID) { id } }`);
  const query = `query ($lookup: String!) { orderByLookup(lookup: $lookup) {
      id customerEmail totalAmount status lookup items { quantity unitPrice product { name } }
    } }`;
  const order = {
    id,
    customerEmail: "ada@example.com",
    totalAmount: "8.40",
    status: "PAID",
    lookup,
    items: [{ quantity: 2, unitPrice: "4.20", product: { name: "Sencha" } }],
  };
  for (const authorization of [undefined, "Bearer nonsense", app.asAdmin]) {
    const { body } = await execute(app, { query, variables: { lookup } }, authorization);
    expect(body).toEqual({ data: { orderByLookup: order } });
  }
});

graphqlClause("10.lookup", "an order has the same lookup wherever it is shown", async () => {
  const items = [{ productId, quantity: 1 }];
  const order = { customerEmail: "ada@example.com", items };
  const rest = await app.http.post("/orders").send(order);
  const { id } = rest.body as { id: number };
  expect(JSON.stringify(rest.body)).not.toContain("lookup");
  const first = await place(app, "the-same");
  expect(await place(app, "the-same")).toEqual(first);
  await app.sql("UPDATE idempotency_keys SET created_at = now() - interval '1 year'");
  const later = await place(app, "the-same");
  const shown = await dataOf<{
    orders: { data: Placed[] };
    ordersConnection: { edges: { node: Placed }[] };
    order: Placed;
  }>(
    app,
    `{ orders { data { id lookup } } ordersConnection { edges { node { id lookup } } }
        order(id: ${id}) { id lookup } }`,
  );
  const all = shown.orders.data;
  expect(shown.ordersConnection.edges.map(({ node }) => node)).toEqual(all);
  expect(all).toEqual(expect.arrayContaining([shown.order, first, later]));
  expect(new Set(all.map(({ lookup }) => signatureIn(lookup))).size).toBe(all.length);
  for (const each of all) expect(await found(each.lookup)).toEqual(each);
});

/** Another character in the place of one. */
const changed = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);

/** Another last character, of the same bytes: of its 6 bits, 4 count. */
function ofSameBytes(lookup: string): string {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return lookup.slice(0, -1) + digits.charAt(digits.indexOf(lookup.at(-1)!) ^ 1);
}

graphqlClauseEach<(placed: Placed, other: Placed) => string>(
  "10.lookup.null",
  "any other text shows nothing",
  {
    "the id of another order": ({ lookup }, { id }) => `${id}.${signatureIn(lookup)}`,
    "the signature of another order": ({ id }, { lookup }) => `${id}.${signatureIn(lookup)}`,
    "a signature with another beginning": ({ id, lookup }) =>
      changed(lookup, String(id).length + 1),
    "a signature with another end": ({ lookup }) => changed(lookup, lookup.length - 1),
    "other text of the same bytes": ({ lookup }) => ofSameBytes(lookup),
    "a longer signature": ({ lookup }) => `${lookup}A`,
    "a shorter signature": ({ lookup }) => lookup.slice(0, -1),
    "zeros before the id": ({ lookup }) => `0${lookup}`,
    "an id that no order can have": ({ lookup }) => `2147483648.${signatureIn(lookup)}`,
    "an id without an end": ({ lookup }) => `${"9".repeat(50_000)}${lookup}`,
    "a signature without an end": ({ lookup }) => lookup + "A".repeat(50_000),
    "white space around it": ({ lookup }) => ` ${lookup}\n`,
    "what no database stores": ({ lookup }) => `${lookup}\0\ud800`,
    nothing: () => "",
  },
  async (text) => {
    const [placed, other] = [await place(), await place()];
    expect(await found(text(placed, other))).toBeNull();
    expect(await found(placed.lookup)).toEqual(placed);
  },
);

graphqlClause("10.lookup.null", "the lookup of an order that is gone shows nothing", async () => {
  const { id, lookup } = await place();
  await app.sql("DELETE FROM order_items WHERE order_id = $1", [id]);
  await app.sql("DELETE FROM orders WHERE id = $1", [id]);
  expect(await found(lookup)).toBeNull();
  await app.sql(
    `INSERT INTO orders (id, customer_email, total_amount, status, created_at)
       VALUES ($1, 'bob@example.com', 1, 'PENDING', '2020-01-01T00:00:00Z')`,
    [id],
  );
  expect(await found(lookup)).toBeNull();
});

graphqlClause("10.lookup.secrets", "lookups of a previous secret are still good", async () => {
  const { id, lookup } = await place();
  const secret = "another secret for data, of tests";
  const [former, present] = ["one before", app.settings.data.secret];
  const rotated = await startReplica(app, {
    data: { secret, previousSecrets: [former, present] },
  });
  const other = await startReplica(app, { data: { secret, previousSecrets: [present, former] } });
  const ended = await startReplica(app, { data: { secret, previousSecrets: [] } });
  const renewed = await found(lookup, rotated);
  expect(renewed?.id).toBe(id);
  expect(renewed?.lookup).not.toBe(lookup);
  expect(await found(lookup, other)).toEqual(renewed);
  expect(await found(renewed!.lookup, rotated)).toEqual(renewed);
  expect(await found(renewed!.lookup, ended)).toEqual(renewed);
  expect([await found(lookup, ended), await found(renewed!.lookup)]).toEqual([null, null]);
  await Promise.all([rotated, other, ended].map((each) => each.close()));
});

const asked = (query: string, variables: object = {}): string =>
  `/graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString()}`;

graphqlClauseEach<(lookup: string) => string>(
  "10.lookup.post",
  "a lookup in a URL is refused, however it is written",
  {
    "as a variable": (lookup) => asked(BY_LOOKUP, { lookup }),
    "as a literal": (lookup) => asked(`{ orderByLookup(lookup: "${lookup}") { id } }`),
    "under an alias": (lookup) => asked(`{ it: orderByLookup(lookup: "${lookup}") { id } }`),
    "in fragments": (lookup) =>
      asked(`{ __typename ...A } fragment A on Query { ... { ...B } }
        fragment B on Query { orderByLookup(lookup: "${lookup}") { id } }`),
    skipped: (lookup) =>
      asked(`{ __typename orderByLookup(lookup: "${lookup}") @skip(if: true) { id } }`),
    "without an order": () => asked(`{ orderByLookup(lookup: "x") { id } }`),
  },
  async (path) => {
    const { lookup } = await place();
    const answer = await send(app.url, { method: "GET", path: path(lookup) });
    expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code: "BAD_REQUEST" } }] });
    expect(answer.text).not.toContain(signatureIn(lookup));
    const other = await send(app.url, {
      method: "GET",
      path: asked("{ products { data { id } } }"),
    });
    expect(other.status).toBe(200);
  },
);

graphqlClause("4.rate-limits.lookups", "each field counts, valid or not", async () => {
  const limited = await startReplica(app, { rateLimits: { lookups: 3 } });
  const { lookup } = await place();
  const fields = ["a", "b"].map((name) => `${name}: orderByLookup(lookup: $lookup) { id }`);
  const two = `query ($lookup: String!) { ${fields.join(" ")} }`;
  const ask = async (query: string, text = lookup) =>
    (await execute(limited, { query, variables: { lookup: text } })).body;
  await execute(limited, { query: "{ products { data { id } } }" });
  expect((await ask(two, "nonsense")).errors).toBeUndefined();
  const { data, errors = [] } = await ask(two);
  const shown = Object.values(data as Record<string, object | null>);
  expect([shown.filter((each) => each !== null).length, errors.length]).toEqual([1, 1]);
  const { code, http, reasons } = errors[0]!.extensions;
  expect([code, http]).toEqual([
    "TOO_MANY_REQUESTS",
    { ...errorBody(429), retryAfter: expect.any(Number) },
  ]);
  expect(reasons).toEqual([{ code: "LIMIT", retryAfter: http.retryAfter }]);
  expect((await place(limited)).id).toBeGreaterThan(0);
  await limited.close();
});

test("the log has no lookup, whatever becomes of the request that had it", async () => {
  const { lookup } = await place();
  const signature = signatureIn(lookup);
  const from = app.log.length;
  const headers = { "x-request-id": lookup };
  await app.sql("ALTER TABLE orders RENAME TO orders_away");
  try {
    const failed = await execute(app, { query: BY_LOOKUP, variables: { lookup } });
    expect(failed.body.errors?.[0]?.extensions.code).toBe("INTERNAL_SERVER_ERROR");
  } finally {
    await app.sql("ALTER TABLE orders_away RENAME TO orders");
  }
  for (const query of [`{ orderByLookup(lookup: "${lookup}") { nothing } }`, `{ "${lookup}" }`]) {
    await execute(app, { query });
  }
  const mistyped = "query ($lookup: Int!) { order(id: $lookup) { id } }";
  await execute(app, { query: mistyped, variables: { lookup } });
  await sendJson(app.url, "POST", "/graphql", `{"query":"${lookup}`, headers);
  for (const end of [lookup, `${lookup}-`, lookup.replace(".", "%2E")]) {
    await send(app.url, { method: "GET", path: `/orders/${end}`, headers });
  }
  await send(app.url, { method: "GET", path: asked(BY_LOOKUP, { lookup }), headers });
  const logged = app.log.slice(from).join("");
  expect(logged).toContain("/orders/");
  expect(logged).not.toContain(signature);
});
