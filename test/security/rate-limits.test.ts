import { secondsIn } from "../../src/services/limits/rate-limit";
import { startReplica, useApp } from "../support/app";
import { clause, graphqlClause } from "../support/clause";
import { sendJson, type Answer } from "../support/raw-http";
import { errorBody } from "../support/refusals";
import { everythingStored } from "../support/stored";

const ORDERS = 5;
const SUBSCRIPTIONS = 3;

let productId: number;
let client = 0;
const app = useApp({
  rateLimits: { orders: ORDERS, newsletter: SUBSCRIPTIONS },
  http: { trustProxy: 1 },
});
beforeAll(async () => {
  productId = (await app.make.product()).id;
});
// Each case is a client of its own.
beforeEach(() => (client += 1));

const order = () => ({ customerEmail: "mina@example.com", items: [{ productId, quantity: 1 }] });

const post = (path: string, body: object, from = `198.51.100.${client}`): Promise<Answer> =>
  sendJson(app.url, "POST", path, JSON.stringify(body), { "x-forwarded-for": from });

const refusal = errorBody(429);

interface Errors {
  errors?: { path: string[]; extensions: { code: string; http: { statusCode: number } } }[];
}

const codesOf = ({ body }: Answer): number[] =>
  ((body as Errors).errors ?? []).map(({ extensions }) => extensions.http.statusCode);

clause("4.rate-limits.headers", "orders beyond the limit are refused and told", async () => {
  const answers: Answer[] = [];
  for (const body of [order(), {}, order(), { ...order(), items: [] }, order(), order(), {}]) {
    answers.push(await post("/orders", body));
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 400, 201, 400, 201, 429, 429]);
  expect(answers.map(({ headers }) => headers["ratelimit-remaining"])).toEqual([
    "4",
    "3",
    "2",
    "1",
    "0",
    "0",
    "0",
  ]);
  // The first one begins a minute.
  expect(answers[0]!.headers["ratelimit-reset"]).toBe("60");
  for (const { headers } of answers) {
    expect(headers["ratelimit-policy"]).toBe('"orders";q=5;w=60');
    const { "ratelimit-remaining": left, "ratelimit-reset": reset } = headers;
    expect(headers.ratelimit).toBe(`"orders";r=${String(left)};t=${String(reset)}`);
    expect(headers["ratelimit-limit"]).toBe("5");
    expect(headers["ratelimit-reset"]).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
  }
  for (const { status, headers, body } of answers) {
    if (status === 429) {
      expect(body).toEqual(refusal);
      expect(headers["retry-after"]).toBe(headers["ratelimit-reset"]);
    } else expect(headers).not.toHaveProperty("retry-after");
  }
});

clause("4.rate-limits.orders", "what is no JSON counts, too", async () => {
  const text = (body: string) =>
    sendJson(app.url, "POST", "/orders", body, { "x-forwarded-for": `198.51.100.${client}` });
  for (let n = 0; n < ORDERS; n += 1) expect((await text("{")).status).toBe(400);
  const before = await everythingStored(app);
  expect((await text(JSON.stringify(order()))).status).toBe(429);
  expect(await everythingStored(app)).toEqual(before);
});

test("a burst gets no more orders than the limit", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post("/orders", order())));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(ORDERS);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - ORDERS);
});

clause("4.rate-limits.address", "an IPv6 /64 is one", { doors: ["REST", "GraphQL"] }, async () => {
  const left = async (from: string) =>
    (await post("/orders", order(), from)).headers["ratelimit-remaining"];
  expect(await left("2001:db8::1")).toBe("4");
  expect(await left("[2001:db8::2]:4711")).toBe("3");
  await post("/graphql", placeOrders(1, { productId, quantity: 1 }), "2001:DB8:0:0:3::");
  expect(await left("2001:db8::4%eth0")).toBe("1");
  expect(await left("2001:db8:0:1::1")).toBe("4");
});

clause("4.rate-limits.orders", "the list of orders is not limited", async () => {
  for (let n = 0; n <= ORDERS; n += 1) await post("/orders", order());
  const { status, headers } = await app.http
    .get("/orders")
    .set("Authorization", app.asAdmin)
    .set("X-Forwarded-For", `198.51.100.${client}`);
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty("ratelimit-limit");
});

const placeOrders = (count: number, item: object): object => ({
  query: `mutation ($input: PlaceOrderInput!) {
    ${Array.from({ length: count }, (_, n) => `o${n}: placeOrder(input: $input) { id }`).join(" ")}
  }`,
  variables: { input: { ...order(), items: [item] } },
});

clause("4.rate-limits.orders", "both doors together", { doors: ["REST", "GraphQL"] }, async () => {
  expect((await post("/orders", order())).headers["ratelimit-remaining"]).toBe("4");
  const three = await post("/graphql", placeOrders(3, { productId, quantity: 1 }));
  expect(codesOf(three)).toEqual([]);
  expect((await post("/orders", order())).headers["ratelimit-remaining"]).toBe("0");

  const beyond = await post("/graphql", placeOrders(1, { productId, quantity: 1 }));
  expect(beyond.status).toBe(200);
  expect((beyond.body as Errors).errors).toEqual([
    expect.objectContaining({
      message: "Too Many Requests",
      extensions: {
        code: "TOO_MANY_REQUESTS",
        http: { ...refusal, retryAfter: expect.any(Number) },
        reasons: [{ code: "LIMIT", retryAfter: expect.any(Number) }],
      },
    }),
  ]);
});

graphqlClause("4.rate-limits.orders", "invalid orders of GraphQL count", async () => {
  for (let n = 0; n < ORDERS; n += 1) {
    expect(codesOf(await post("/graphql", placeOrders(1, { productId, quantity: 0 })))).toEqual([
      400,
    ]);
  }
  expect(codesOf(await post("/graphql", placeOrders(1, { productId, quantity: 1 })))).toEqual([
    429,
  ]);
});

const subscribe = (email: string): object => ({
  query: "mutation ($email: String!) { subscribeToNewsletter(email: $email) }",
  variables: { email },
});

graphqlClause("4.rate-limits.newsletter", "subscriptions have a limit of their own", async () => {
  const statuses: number[] = [];
  for (const email of ["a@example.com", "none", "b@example.com", "c@example.com"]) {
    statuses.push(codesOf(await post("/graphql", subscribe(email)))[0] ?? 200);
  }
  expect(statuses).toEqual([200, 400, 200, 429]);
  const stored = await app.sql("SELECT email FROM newsletter_subscribers ORDER BY email");
  expect(stored).toEqual([{ email: "a@example.com" }, { email: "b@example.com" }]);
  expect((await post("/orders", order())).status).toBe(201);
});

graphqlClause("4.rate-limits.newsletter", "tokens count with them", async () => {
  const statuses: number[] = [];
  for (const field of [
    "confirmSubscription",
    "unsubscribe",
    "confirmSubscription",
    "unsubscribe",
  ]) {
    const answer = await post("/graphql", { query: `mutation { ${field}(token: "1.a") }` });
    statuses.push(codesOf(answer)[0] ?? 200);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});

clause("4.rate-limits.off", "0 switches limits off", { doors: ["REST", "GraphQL"] }, async () => {
  const open = await startReplica(app, { rateLimits: { orders: 0, newsletter: 0 } });
  try {
    for (let n = 0; n < ORDERS + 3; n += 1) {
      const { status, headers } = await open.http.post("/orders").send(order());
      expect(status).toBe(201);
      expect(headers).not.toHaveProperty("ratelimit-limit");
    }
    for (let n = 0; n < SUBSCRIPTIONS + 3; n += 1) {
      const { body } = await open.http.post("/graphql").send(subscribe(`d${n}@example.com`));
      expect(body).toEqual({ data: { subscribeToNewsletter: true } });
    }
  } finally {
    await open.close();
  }
});

clause("4.rate-limits.address", "X-Forwarded-For changes nothing by default", async () => {
  const direct = await startReplica(app, { http: { trustProxy: 0 } });
  try {
    const statuses: number[] = [];
    for (let n = 0; n < ORDERS + 2; n += 1) {
      const request = direct.http.post("/orders").set("X-Forwarded-For", `203.0.113.${n}`);
      statuses.push((await request.send(order())).status);
    }
    expect(statuses).toEqual([...Array<number>(ORDERS).fill(201), 429, 429]);
  } finally {
    await direct.close();
  }
});

test.each([
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [59_400, 60],
])("a client that waits as long as it is told has waited long enough: %i ms", (left, told) => {
  expect(secondsIn(left)).toBe(told);
});
