import { execute, type GraphqlRequest } from "../graphql/client";
import { startApp, type TestApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { errorBody, extensionsOf } from "../support/refusals";
import { tokenFor } from "../support/tokens";

let app: TestApp;
let editor: string;
beforeAll(async () => {
  app = await startApp({ rateLimits: { orders: 2 } });
  await app.make.category({ slug: "taken" });
  const account = await app.make.admin({ role: "EDITOR" });
  editor = `Bearer ${tokenFor(account, app.settings.tokens.secret)}`;
});
afterAll(() => app.close());

const orders = "{ orders { data { id } } }";

/** An order of this product under a key of its own. */
const order = (productId: number): GraphqlRequest => ({
  query: `mutation ($productId: Int!) {
    placeOrder(
      input: { customerEmail: "a@example.com", items: [{ productId: $productId, quantity: 1 }] }
      idempotencyKey: "once"
    ) { id }
  }`,
  variables: { productId },
});

interface Refused {
  readonly code: string;
  readonly http: object;
  readonly answer: () => ReturnType<typeof execute>;
}

clauseEach<Refused>(
  "10.errors",
  "each refusal has its code, and the body that REST would answer",
  { doors: ["GraphQL"] },
  {
    "bad input": {
      code: "BAD_USER_INPUT",
      http: errorBody(400, "Page must be greater than or equal to 1"),
      answer: () => execute(app, { query: "{ products(page: 0) { data { id } } }" }),
    },
    "no token": {
      code: "UNAUTHENTICATED",
      http: errorBody(401),
      answer: () => execute(app, { query: orders }),
    },
    "another role": {
      code: "FORBIDDEN",
      http: errorBody(403, "Forbidden resource"),
      answer: () => execute(app, { query: orders }, editor),
    },
    "an unknown thing": {
      code: "NOT_FOUND",
      http: errorBody(404, "Product not found"),
      answer: () => asAdmin("mutation { deleteProduct(id: 2000000000) { id } }"),
    },
    "a contradiction to what is stored": {
      code: "CONFLICT",
      http: errorBody(409, "Slug taken is already taken"),
      answer: () =>
        asAdmin('mutation { createCategory(input: { name: "x", slug: "taken" }) { id } }'),
    },
    "a key of another order, and more orders than a minute may have": {
      code: "CONFLICT",
      http: errorBody(422, "Idempotency-Key was used for another request"),
      answer: async () => {
        const [one, other] = [await app.make.product(), await app.make.product()];
        await execute(app, order(one.id));
        const answer = await execute(app, order(other.id));
        const { body } = await execute(app, order(one.id));
        expect(body.errors?.[0]?.extensions).toEqual(
          extensionsOf(429, undefined, { retryAfter: expect.any(Number) }),
        );
        return answer;
      },
    },
  },
  async ({ code, http, answer }) => {
    const { status, body } = await answer();
    expect([status, body.errors?.map(({ extensions }) => extensions)]).toEqual([
      200,
      [{ code, http }],
    ]);
  },
);

const asAdmin = (query: string) => execute(app, { query }, app.asAdmin);
