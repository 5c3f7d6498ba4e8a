import { execute, type GraphqlAnswer } from "../graphql/client";
import { useApp } from "../support/app";
import { sendJson } from "../support/raw-http";
import { inParts } from "../support/repetitions";
import { everythingStored } from "../support/stored";
import { eachOf } from "../support/each-of";
import { hostileJson, hostileTexts, unstorableTexts } from "./payloads";

jest.setTimeout(60_000);

let id: number;
const app = useApp();
beforeAll(async () => {
  const product = await app.make.product({ name: "Sencha", description: "Green, steamed." });
  const order = await app.make.order();
  id = product.id;
  expect([product.category_id, order.id]).toEqual([id, id]);
});
afterEach(() => {
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

const run = (query: string, value: unknown): Promise<GraphqlAnswer> =>
  execute(app, { query, variables: { value } }, app.asAdmin);

const statusOf = ({ status, body }: GraphqlAnswer): number =>
  body.errors?.[0]?.extensions.http.statusCode ?? status;

/** Every text that an operation takes, in a document with the one variable `value`, and whether it reads alone. */
const reads: Record<string, string> = {
  search: "query ($value: String) { it: products(filter: { search: $value }) { data { id } } }",
  categorySlug:
    "query ($value: String) { it: products(filter: { categorySlug: $value }) { data { id } } }",
  "slug of category": "query ($value: String) { it: category(slug: $value) { id } }",
  "slug of product": "query ($value: String) { it: product(slug: $value) { id } }",
  "customerEmail of orders":
    "query ($value: String) { it: orders(filter: { customerEmail: $value }) { data { id } } }",
  "customerEmail of ordersConnection": `query ($value: String) {
    it: ordersConnection(filter: { customerEmail: $value }) { edges { node { id } } } }`,
  "after of productsConnection":
    "query ($value: String) { it: productsConnection(after: $value) { edges { node { id } } } }",
  "after of ordersConnection":
    "query ($value: String) { it: ordersConnection(after: $value) { edges { node { id } } } }",
  minPrice:
    "query ($value: Decimal) { it: products(filter: { minPrice: $value }) { data { id } } }",
  maxPrice:
    "query ($value: Decimal) { it: products(filter: { maxPrice: $value }) { data { id } } }",
  placedFrom:
    "query ($value: DateTime) { it: orders(filter: { placedFrom: $value }) { data { id } } }",
  placedBefore:
    "query ($value: DateTime) { it: orders(filter: { placedBefore: $value }) { data { id } } }",
  "status of orders":
    "query ($value: OrderStatus) { it: orders(filter: { status: $value }) { data { id } } }",
  sort: `query ($value: ProductSortField!) {
    it: products(sort: { field: $value, direction: ASC }) { data { id } } }`,
  page: "query ($value: Int!) { it: products(page: $value) { data { id } } }",
  "email of customerData": "query ($value: String!) { it: customerData(email: $value) { orders } }",
  "id of order": "query ($value: Int!) { it: order(id: $value) { id } }",
};

const writes: Record<string, string> = {
  "email of login": `mutation ($value: String!) {
    it: login(input: { email: $value, password: "guess" }) { accessToken } }`,
  "password of login": `mutation ($value: String!) {
    it: login(input: { email: "nobody@example.com", password: $value }) { accessToken } }`,
  "currentPassword of changePassword": `mutation ($value: String!) {
    it: changePassword(currentPassword: $value, newPassword: "another horse") { accessToken } }`,
  "newPassword of changePassword": `mutation ($value: String!) {
    it: changePassword(currentPassword: "guess", newPassword: $value) { accessToken } }`,
  "customerEmail of placeOrder": `mutation ($value: String!) {
    it: placeOrder(input: { customerEmail: $value, items: [{ productId: 1, quantity: 1 }] }) { id } }`,
  "items of placeOrder": `mutation ($value: [OrderItemInput!]!) {
    it: placeOrder(input: { customerEmail: "mina@example.com", items: $value }) { id } }`,
  "productId of placeOrder": `mutation ($value: Int!) {
    it: placeOrder(input: {
      customerEmail: "mina@example.com", items: [{ productId: $value, quantity: 1 }] }) { id } }`,
  "expectedTotal of placeOrder": `mutation ($value: Decimal) {
    it: placeOrder(
      input: { customerEmail: "mina@example.com", items: [{ productId: 1, quantity: 1 }] }
      expectedTotal: $value) { id } }`,
  "email of subscribeToNewsletter":
    "mutation ($value: String!) { it: subscribeToNewsletter(email: $value) }",
  "email of unsubscribeFromNewsletter":
    "mutation ($value: String!) { it: unsubscribeFromNewsletter(email: $value) }",
  "slug of createCategory": `mutation ($value: String) {
    it: createCategory(input: { name: "Oolong", slug: $value }) { id } }`,
  "slug of updateProduct": `mutation ($value: String) {
    it: updateProduct(id: 1, input: { slug: $value }) { id } }`,
  "price of updateProduct": `mutation ($value: Decimal) {
    it: updateProduct(id: 1, input: { price: $value }) { id } }`,
  "id of deleteProduct": "mutation ($value: Int!) { it: deleteProduct(id: $value) { id } }",
  "id of setOrderStatus":
    "mutation ($value: Int!) { it: setOrderStatus(id: $value, status: PAID) { id } }",
  "status of setOrderStatus":
    "mutation ($value: OrderStatus!) { it: setOrderStatus(id: 1, status: $value) { id } }",
  "input of createCategory":
    "mutation ($value: CreateCategoryInput!) { it: createCategory(input: $value) { id } }",
  "input of updateProduct":
    "mutation ($value: UpdateProductInput!) { it: updateProduct(id: 1, input: $value) { id } }",
  "input of placeOrder":
    "mutation ($value: PlaceOrderInput!) { it: placeOrder(input: $value) { id } }",
  "isActive of setProductStatus":
    "mutation ($value: Boolean!) { it: setProductStatus(id: 1, isActive: $value) { id } }",
};

const nextTexts = inParts(hostileTexts, 4);
const nextJson = inParts(hostileJson, 4);

describe.each(Object.entries(reads))("a read by %s", (_name, query) => {
  test("takes hostile values for what they are, and answers no 5xx", async () => {
    const before = await everythingStored(app);
    await eachOf([...nextTexts(), ...unstorableTexts], async (text) => {
      const answer = await run(query, text);
      expect([text, statusOf(answer)]).toEqual([text, answer.body.errors ? 400 : 200]);
      const { it } = (answer.body.data ?? {}) as { it?: { data?: []; edges?: [] } | null };
      expect([text, it?.data ?? it?.edges ?? []]).toEqual([text, []]);
    });
    await eachOf(nextJson(), async (value) => {
      const answer = await run(query, JSON.parse(value));
      expect([value, statusOf(answer) < 500]).toEqual([value, true]);
    });
    expect(await everythingStored(app)).toEqual(before);
  });
});

describe.each(Object.entries(writes))("a write by %s", (name, query) => {
  test("refuses hostile values, and nothing is done", async () => {
    const before = await everythingStored(app);
    // Some of the texts are good slugs.
    const isSlug = name.startsWith("slug ") ? /^[a-z]{1,120}$/ : /^$/;
    const texts = [...nextTexts(), ...unstorableTexts].filter((text) => !isSlug.test(text));
    await eachOf(texts, async (text) => {
      expect([text, statusOf(await run(query, text))]).toEqual([text, 400]);
    });
    const values = nextJson().filter((value) => !allowed(name, value));
    await eachOf(values, async (value) => {
      // As text: JSON.stringify would lose members of some names.
      const body = `{"query":${JSON.stringify(query)},"variables":{"value":${value}}}`;
      const answer = await sendJson(app.url, "POST", "/graphql", body, {
        authorization: app.asAdmin,
      });
      const { errors } = answer.body as GraphqlAnswer["body"];
      const status = errors?.[0]?.extensions.http.statusCode;
      expect([value, status]).toEqual([value, expect.any(Number)]);
      expect([value, [400, 404, 409].includes(status!)]).toEqual([value, true]);
    });
    expect(await everythingStored(app)).toEqual(before);
  });
});

/** Whether an input takes one of the hostile JSON values as documented. */
function allowed(name: string, value: string): boolean {
  const values: Record<string, string[]> = {
    "expectedTotal of placeOrder": ["null"],
    "slug of createCategory": ["null"],
    "price of updateProduct": ["1.5", "-0"],
    "input of updateProduct": ["{}"],
    "isActive of setProductStatus": ["true"],
  };
  return values[name]?.includes(value) ?? false;
}

test.each(["name", "description"])("a product's %s is kept as it is", async (field) => {
  const query = `mutation ($value: String!) {
    it: updateProduct(id: ${id}, input: { ${field}: $value }) { ${field} } }`;
  const column = `SELECT ${field} AS value FROM products WHERE id = $1`;
  const { products: _, ...others } = await everythingStored(app);
  for (const text of hostileTexts) {
    const { body } = await run(query, text);
    if (body.errors) {
      expect(body.errors[0]?.extensions.http.statusCode).toBe(400);
      continue;
    }
    const literal = field === "name" ? text.trim() : text;
    const [row] = await app.sql<{ value: string }>(column, [id]);
    expect([body.data, row?.value]).toEqual([{ it: { [field]: literal } }, literal]);
  }
  for (const text of unstorableTexts) {
    expect(statusOf(await run(query, text))).toBe(400);
  }
  const { products: __, ...after } = await everythingStored(app);
  expect(after).toEqual(others);
});

test("a document is no place to inject either", async () => {
  const before = await everythingStored(app);
  await eachOf(hostileTexts, async (text) => {
    for (const query of [
      text,
      `{ ${text} }`,
      `{ products(filter: { ${text}: 1 }) { data { id } } }`,
    ]) {
      const answer = await execute(app, { query }, app.asAdmin);
      expect([text, statusOf(answer)]).toEqual([text, 400]);
    }
  });
  expect(await everythingStored(app)).toEqual(before);
});

test.each(["__proto__", "constructor", "toString", "__typename", "__schema", "'"])(
  "%s as the name of an operation or a variable does nothing",
  async (name) => {
    const body = `{"query":"query a { categories { id } }","operationName":"${name}","variables":{"${name}":1}}`;
    const answer = await sendJson(app.url, "POST", "/graphql", body);
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toContain("INTERNAL_SERVER_ERROR");
  },
);
