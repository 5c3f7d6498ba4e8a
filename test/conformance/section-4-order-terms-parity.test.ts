import type { TestApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { aTime, expectParity, startTwins, type ParityCase, type Twins } from "../parity/twins";

let twins: Twins;
beforeAll(async () => {
  twins = await startTwins();
});
afterAll(() => twins.close());

const run = (each: ParityCase) => expectParity(twins, each);
const call = { operation: "placeOrder", caller: "nobody" } as const;

const orderOf = async ({ make }: TestApp, price = "2.50") => {
  const { id: productId } = await make.product({ price });
  return { customerEmail: "a@example.com", items: [{ productId, quantity: 2 }] };
};
const invalid = { customerEmail: "nobody", items: [] };
const faults = ["customerEmail must be an email", "items must contain at least 1 elements"];
const badTotal =
  "expectedTotal must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places";

/** An order that was placed at REST under a key. */
const placed = async (app: TestApp, key: string, body: object) =>
  (await app.http.post("/orders").set("Idempotency-Key", key).send(body)).body as object;

clauseEach<ParityCase>(
  "4.orders.terms",
  "keys and expected totals guard an order the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "the total that is expected": async (app) => {
      const body = await orderOf(app);
      return {
        ...call,
        input: { body, guards: { expectedTotal: "5" } },
        ok: {
          id: expect.any(Number),
          customerEmail: body.customerEmail,
          totalAmount: "5.00",
          status: "PENDING",
          createdAt: aTime,
          items: [expect.objectContaining({ ...body.items[0], unitPrice: "2.50" })],
        },
        effect: expect.objectContaining({ orders: { gone: [], come: [expect.anything()] } }),
      };
    },
    "another total": async (app) => ({
      ...call,
      input: { body: await orderOf(app), guards: { expectedTotal: "5.01" } },
      refused: [409, "totalAmount is 5.00, not 5.01"],
    }),
    "the same again, from the other door, quoted": async (app) => {
      const body = await orderOf(app);
      const ok = await placed(app, "key-1", body);
      return { ...call, input: { body, guards: { idempotencyKey: '"key-1"' } }, ok };
    },
    "another order under the same key": async (app) => {
      const body = await orderOf(app);
      await placed(app, "key-2", body);
      return {
        ...call,
        input: {
          body: { ...body, customerEmail: "b@example.com" },
          guards: { idempotencyKey: "key-2" },
        },
        refused: [422, "Idempotency-Key was used for another request"],
      };
    },
    "another expected total under the same key": async (app) => {
      const body = await orderOf(app);
      await placed(app, "key-3", body);
      return {
        ...call,
        input: { body, guards: { idempotencyKey: "key-3", expectedTotal: "5.00" } },
        refused: [422, "Idempotency-Key was used for another request"],
      };
    },
    "a key of a blank and a total that is none": async (app) => ({
      ...call,
      input: {
        body: await orderOf(app),
        guards: { idempotencyKey: "a b", expectedTotal: "1.005" },
      },
      refused: [400, expect.arrayContaining([badTotal])],
    }),
    "too long a key": async (app) => ({
      ...call,
      input: { body: await orderOf(app), guards: { idempotencyKey: "x".repeat(256) } },
      refused: [400, [expect.stringMatching(/^idempotencyKey |^Idempotency-Key /)]],
    }),
    "the order is judged before its terms": () => ({
      ...call,
      input: { body: invalid, guards: { idempotencyKey: "", expectedTotal: "-1" } },
      refused: [400, faults],
    }),
  },
  run,
);

describe("rate limits", () => {
  let limited: Twins;
  beforeAll(async () => {
    limited = await startTwins({ rateLimits: { orders: 2 }, login: { failureLimit: 1 } });
  });
  afterAll(() => limited.close());

  const credentials = { email: "nobody@example.com", password: "wrong" };
  const refused = [429, "Too Many Requests"] as const;

  clauseEach<ParityCase>(
    "4.rate-limits",
    "who asks too often is refused the same through both doors, and told when to come again",
    { doors: ["REST", "GraphQL"] },
    {
      "orders, valid or not": async (app) => {
        for (const _ of [1, 2]) await app.http.post("/orders").send({});
        return { ...call, input: { body: invalid }, refused };
      },
      logins: async (app) => {
        await app.http.post("/auth/login").send(credentials);
        return { operation: "login", caller: "nobody", input: { body: credentials }, refused };
      },
    },
    (each) => expectParity(limited, each),
  );
});
