import { execute, refusalOf, type GraphqlRequest } from "../graphql/client";
import { startApp, startReplica, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { errorBody, extensionsOf } from "../support/refusals";
import { tokenFor } from "../support/tokens";

let app: TestApp;
let limited: TestApp;
let editor: string;
beforeAll(async () => {
  app = await startApp();
  limited = await startReplica(app, { rateLimits: { orders: 2 } });
  await app.make.category({ slug: "taken" });
  const account = await app.make.admin({ role: "EDITOR" });
  editor = `Bearer ${tokenFor(account, app.settings.tokens.secret)}`;
});
afterAll(async () => {
  await limited.close();
  await app.close();
});

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
        await execute(limited, order(one.id));
        const answer = await execute(limited, order(other.id));
        const { body } = await execute(limited, order(one.id));
        expect(body.errors?.[0]?.extensions).toEqual(
          extensionsOf(429, undefined, { retryAfter: expect.any(Number) }),
        );
        const { http, reasons } = body.errors![0]!.extensions;
        expect(reasons).toEqual([{ code: "LIMIT", retryAfter: http.retryAfter }]);
        return answer;
      },
    },
  },
  async ({ code, http, answer }) => {
    const { status, body } = await answer();
    expect([status, body.errors?.map(({ extensions }) => extensions)]).toEqual([
      200,
      [{ code, http, reasons: [expect.anything()] }],
    ]);
  },
);

const asAdmin = (query: string) => execute(app, { query }, app.asAdmin);

interface Explained {
  readonly query: string;
  /** Made when the test runs: some need things that are in the shop. */
  readonly variables?: () => Promise<object> | object;
  readonly authorization?: () => string | undefined;
  readonly reasons: readonly object[] | ((variables: never) => readonly object[]);
}

const PLACE = `mutation ($input: PlaceOrderInput!, $key: String, $total: Decimal) {
  placeOrder(input: $input, idempotencyKey: $key, expectedTotal: $total) { id }
}`;
const CREATE_CATEGORY = `mutation ($input: CreateCategoryInput!) { createCategory(input: $input) { id } }`;
const UPDATE_PRODUCT = `mutation ($id: Int!, $input: UpdateProductInput!) {
  updateProduct(id: $id, input: $input) { id }
}`;
const PASSWORD = `mutation ($new: String!) {
  changePassword(currentPassword: "", newPassword: $new) { accessToken }
}`;

interface Item {
  readonly productId: number;
  readonly quantity: number;
}

const orderOf = (items: readonly Item[], customerEmail = "ada@example.com") => ({
  input: { customerEmail, items },
});

const update = (input: object): Pick<Explained, "query" | "variables"> => ({
  query: UPDATE_PRODUCT,
  variables: async () => ({ id: (await app.make.product()).id, input }),
});

const TOP = "99999999.99";
const PRICES = { min: "0.00", max: TOP, path: "price" };

clauseEach<Explained>(
  "10.reasons",
  "each message of a refusal has its reason",
  { doors: ["GraphQL"] },
  {
    "values that are out of range, repeated, empty or no address, in the order of the messages": {
      query: PLACE,
      variables: () =>
        orderOf(
          [
            { productId: 7, quantity: 0 },
            { productId: 7, quantity: 1 },
          ],
          "ada",
        ),
      reasons: [
        { code: "INVALID", path: "customerEmail" },
        { code: "OUT_OF_RANGE", min: 1, max: 2 ** 31 - 1, path: "items.0.quantity" },
        { code: "REPEATED", productId: 7, path: "items.1.productId" },
      ],
    },
    "an order of nothing for nobody": {
      query: PLACE,
      variables: () => orderOf([], ""),
      reasons: [
        { code: "REQUIRED", path: "customerEmail" },
        { code: "OUT_OF_RANGE", min: 1, max: 100, path: "items" },
      ],
    },
    "an address that is too long": {
      query: PLACE,
      variables: () => orderOf([{ productId: 7, quantity: 1 }], `${"a".repeat(251)}@b.c`),
      reasons: [{ code: "TOO_LONG", max: 254, path: "customerEmail" }],
    },
    "products that can't be ordered": {
      query: PLACE,
      variables: async () =>
        orderOf([
          { productId: (await app.make.product({ is_active: false })).id, quantity: 1 },
          { productId: (await app.make.product()).id, quantity: 1 },
          { productId: 2_000_000_000, quantity: 1 },
        ]),
      reasons: ({ input: { items } }: { input: { items: readonly Item[] } }) =>
        [0, 2].map((index) => ({
          code: "PRODUCT_UNAVAILABLE",
          productId: items[index]!.productId,
          path: `items.${index}.productId`,
        })),
    },
    "a total that is too large": {
      query: PLACE,
      variables: async () =>
        orderOf([{ productId: (await app.make.product({ price: TOP })).id, quantity: 2 }]),
      reasons: [{ code: "TOTAL_TOO_LARGE", max: TOP }],
    },
    "a total that has changed": {
      query: PLACE,
      variables: async () => ({
        ...orderOf([{ productId: (await app.make.product({ price: "6.50" })).id, quantity: 2 }]),
        total: "12.00",
      }),
      reasons: [{ code: "TOTAL_CHANGED", total: "13.00", path: "expectedTotal" }],
    },
    "a key that is too long, and a total that is none": {
      query: PLACE,
      variables: () => ({
        ...orderOf([{ productId: 7, quantity: 1 }]),
        key: "k".repeat(256),
        total: "one",
      }),
      reasons: [
        { code: "TOO_LONG", max: 255, path: "idempotencyKey" },
        { code: "INVALID", path: "expectedTotal" },
      ],
    },
    "the key of another order": {
      query: PLACE,
      variables: async () => {
        const { id: productId } = await app.make.product();
        const key = "of-another-order";
        await execute(app, {
          query: PLACE,
          variables: { ...orderOf([{ productId, quantity: 1 }]), key },
        });
        return { ...orderOf([{ productId, quantity: 2 }]), key };
      },
      reasons: [{ code: "KEY_REUSED", path: "idempotencyKey" }],
    },
    "a name that shows nothing, and a slug that is none": {
      query: CREATE_CATEGORY,
      variables: () => ({ input: { name: " ", slug: "A" } }),
      reasons: [
        { code: "REQUIRED", path: "name" },
        { code: "INVALID", path: "slug" },
      ],
    },
    "texts that are too long": {
      query: CREATE_CATEGORY,
      variables: () => ({ input: { name: "a".repeat(121), slug: "a".repeat(121) } }),
      reasons: [
        { code: "TOO_LONG", max: 120, path: "name" },
        { code: "TOO_LONG", max: 120, path: "slug" },
      ],
    },
    "a slug that is taken": {
      query: CREATE_CATEGORY,
      variables: () => ({ input: { name: "x", slug: "taken" } }),
      reasons: [{ code: "SLUG_TAKEN", slug: "taken", path: "slug" }],
    },
    "nulls where a value must stay": {
      ...update({ name: null, price: null, isActive: null, categoryId: null }),
      reasons: ["name", "price", "categoryId", "categoryId", "isActive"].map((path) => ({
        code: "REQUIRED",
        path,
      })),
    },
    "a price below all": {
      ...update({ price: "-0.01" }),
      reasons: [{ code: "OUT_OF_RANGE", ...PRICES }],
    },
    "a price above all": {
      ...update({ price: 100_000_000 }),
      reasons: [{ code: "OUT_OF_RANGE", ...PRICES }],
    },
    "a price with too many decimals": {
      ...update({ price: "1.234" }),
      reasons: [{ code: "INVALID", path: "price" }],
    },
    "an unknown category": {
      ...update({ categoryId: 2_000_000_000 }),
      reasons: [{ code: "CATEGORY_UNKNOWN", categoryId: 2_000_000_000, path: "categoryId" }],
    },
    "a category that has products": {
      query: "mutation ($id: Int!) { deleteCategory(id: $id) { id } }",
      variables: async () => ({ id: (await app.make.product()).category_id }),
      reasons: [{ code: "IN_USE" }],
    },
    "a thing that is not there": {
      query: "mutation { deleteProduct(id: 2000000000) { id } }",
      reasons: [{ code: "NOT_FOUND" }],
    },
    "an order that is in another state": {
      query: "mutation ($id: Int!) { setOrderStatus(id: $id, status: PENDING) { id } }",
      variables: async () => ({ id: (await app.make.order({ status: "CANCELLED" })).id }),
      reasons: [{ code: "STATE", status: "CANCELLED" }],
    },
    "a wrong password": {
      query:
        'mutation { login(input: { email: "a@example.com", password: "no" }) { accessToken } }',
      reasons: [{ code: "CREDENTIALS" }],
    },
    "passwords that are empty or too short": {
      query: PASSWORD,
      variables: () => ({ new: "short" }),
      reasons: [
        { code: "REQUIRED", path: "currentPassword" },
        { code: "OUT_OF_RANGE", min: 12, max: 72, path: "newPassword" },
      ],
    },
    "a password of too many bytes": {
      query: PASSWORD,
      variables: () => ({ new: "é".repeat(37) }),
      reasons: [
        { code: "REQUIRED", path: "currentPassword" },
        { code: "TOO_LONG", max: 72, path: "newPassword" },
      ],
    },
    "no token": { query: orders, authorization: () => undefined, reasons: [{ code: "TOKEN" }] },
    "another role": { query: orders, authorization: () => editor, reasons: [{ code: "ROLE" }] },
    "a page before the first": {
      query: "{ products(page: 0) { data { id } } }",
      reasons: [{ code: "OUT_OF_RANGE", min: 1, max: Number.MAX_SAFE_INTEGER, path: "page" }],
    },
    "a part that is too large": {
      query: "{ productsConnection(last: 51) { totalCount } }",
      reasons: [{ code: "OUT_OF_RANGE", min: 1, max: 50, path: "last" }],
    },
    "a cursor that is none": {
      query: '{ productsConnection(after: "x") { totalCount } }',
      reasons: [{ code: "INVALID", path: "after" }],
    },
    "too many ids": {
      query: "query ($ids: [Int!]) { products(filter: { ids: $ids }) { data { id } } }",
      variables: () => ({ ids: Array.from({ length: 101 }, (_, id) => id) }),
      reasons: [{ code: "OUT_OF_RANGE", min: 0, max: 100, path: "ids" }],
    },
    "an operation that costs too much": {
      query:
        "{ categories { products(pageSize: 50) { data { category { products { data { id } } } } } } }",
      reasons: [{ code: "OUT_OF_RANGE", min: 0, max: 2000 }],
    },
    "two passwords in one operation": {
      query: `mutation { ${["one", "two"]
        .map(
          (name) =>
            `${name}: login(input: { email: "a@example.com", password: "no" }) { accessToken }`,
        )
        .join(" ")} }`,
      reasons: [{ code: "INVALID" }],
    },
  },
  async ({ query, variables, authorization = () => app.asAdmin, reasons }) => {
    const values = await variables?.();
    const request = { query, ...(values && { variables: values }) };
    const { body } = await execute(app, request, authorization());
    const wanted = typeof reasons === "function" ? reasons(values as never) : reasons;
    expect(body.errors?.map(({ extensions }) => extensions.reasons)).toEqual([wanted]);
  },
);

clause("10.reasons", "what the language refuses has none", { doors: ["GraphQL"] }, async () => {
  for (const query of ["{", "{ nothing }", '{ product(id: "1") { id } }']) {
    expect(await refusalOf(app, query)).not.toHaveProperty("reasons");
  }
});
