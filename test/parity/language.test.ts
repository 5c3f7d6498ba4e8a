import { execute } from "../graphql/client";
import { useApp } from "../support/app";
import { clause, graphqlClauseEach } from "../support/clause";
import { errorBody } from "../support/refusals";
import { everythingStored } from "../support/stored";

const app = useApp();

/** What GraphQL's types refuse before the shop hears of it, and REST's validator otherwise. */
const cases: Record<string, [query: string, variables: object, code: string, message: string]> = {
  "a missing field of a variable": [
    `mutation ($input: CreateCategoryInput!) { createCategory(input: $input) { id } }`,
    { input: {} },
    "BAD_USER_INPUT",
    `Variable "$input" got invalid value {}; Field "name" of required type "String!" was not provided.`,
  ],
  "null for what is required": [
    `mutation ($input: CreateCategoryInput!) { createCategory(input: $input) { id } }`,
    { input: { name: null } },
    "BAD_USER_INPUT",
    `Variable "$input" got invalid value null at "input.name"; Expected non-nullable type "String!" not to be null.`,
  ],
  "an unknown field of a variable": [
    `mutation ($input: CreateCategoryInput!) { createCategory(input: $input) { id } }`,
    { input: { name: "x", foo: 1 } },
    "BAD_USER_INPUT",
    `Variable "$input" got invalid value { name: "x", foo: 1 }; Field "foo" is not defined by type "CreateCategoryInput".`,
  ],
  "a number for a text": [
    `mutation { createCategory(input: { name: 7 }) { id } }`,
    {},
    "GRAPHQL_VALIDATION_FAILED",
    `String cannot represent a non string value: 7`,
  ],
  "a text for an integer, even of digits": [
    `query ($id: Int!) { product(id: $id) { id } }`,
    { id: "1" },
    "BAD_USER_INPUT",
    `Variable "$id" got invalid value "1"; Int cannot represent non-integer value: "1"`,
  ],
  "an integer beyond the database's": [
    `{ product(id: 2147483648) { id } }`,
    {},
    "GRAPHQL_VALIDATION_FAILED",
    `Int cannot represent non 32-bit signed integer value: 2147483648`,
  ],
  "a text for a boolean": [
    `mutation { setProductStatus(id: 1, isActive: "true") { id } }`,
    {},
    "GRAPHQL_VALIDATION_FAILED",
    `Boolean cannot represent a non boolean value: "true"`,
  ],
  "a state that is none": [
    `{ orders(filter: { status: paid }) { data { id } } }`,
    {},
    "GRAPHQL_VALIDATION_FAILED",
    `Value "paid" does not exist in "OrderStatus" enum. Did you mean the enum value "PAID"?`,
  ],
  "a boolean for a price": [
    `mutation ($input: UpdateProductInput!) { updateProduct(id: 1, input: $input) { id } }`,
    { input: { price: true } },
    "BAD_USER_INPUT",
    `Variable "$input" got invalid value true at "input.price"; Decimal must be a string or a number`,
  ],
  "a time that is none": [
    `{ orders(filter: { placedFrom: "yesterday" }) { data { id } } }`,
    {},
    "GRAPHQL_VALIDATION_FAILED",
    `DateTime cannot represent an invalid date-time-string yesterday.`,
  ],
  "an unknown field": [
    `{ orders { data { password } } }`,
    {},
    "GRAPHQL_VALIDATION_FAILED",
    `Cannot query field "password" on type "Order".`,
  ],
  "what does not parse": [
    `{ products`,
    {},
    "GRAPHQL_PARSE_FAILED",
    `Syntax Error: Expected Name, found <EOF>.`,
  ],
};

graphqlClauseEach(
  "10.language",
  "the language refuses in its own words, whoever asks",
  cases,
  async ([query, variables, code, message]) => {
    const before = await everythingStored(app);
    const http = errorBody(400, message);
    for (const authorization of [undefined, app.asAdmin]) {
      const { status, body } = await execute(app, { query, variables }, authorization);
      expect(status).toBe(200);
      expect(body.data).toBeUndefined();
      const refusals = body.errors?.map((error) => [error.message, error.extensions]);
      expect(refusals).toEqual([[message, { code, http }]]);
    }
    expect(await everythingStored(app)).toEqual(before);
  },
);

clause("10.language", "the rest is judged as at REST", { doors: ["REST", "GraphQL"] }, async () => {
  const query = `mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }`;
  const input = { name: "", slug: null, price: "", categoryId: 0 };
  const { body } = await execute(app, { query, variables: { input } }, app.asAdmin);
  const rest = await app.http.post("/products").set("authorization", app.asAdmin).send(input);
  expect([rest.status, body.errors?.[0]?.extensions.http]).toEqual([400, rest.body]);
});
