import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { send, sendJson } from "../support/raw-http";
import { errorBody } from "../support/refusals";
import { everythingStored } from "../support/stored";

let productId: number;
let categoryId: number;
const app = useApp();
beforeAll(async () => {
  const product = await app.make.product({ price: "2.50" });
  productId = product.id;
  categoryId = product.category_id;
});

interface Endpoint {
  readonly method: string;
  readonly path: () => string;
  readonly valid: () => object;
}

const endpoints: Record<string, Endpoint> = {
  "POST /auth/login": {
    method: "POST",
    path: () => "/auth/login",
    valid: () => ({ email: "a@example.com", password: "x" }),
  },
  "POST /orders": {
    method: "POST",
    path: () => "/orders",
    valid: () => ({ customerEmail: "a@example.com", items: [{ productId, quantity: 1 }] }),
  },
  "POST /categories": {
    method: "POST",
    path: () => "/categories",
    valid: () => ({ name: "Green" }),
  },
  "PATCH /categories/:id": {
    method: "PATCH",
    path: () => `/categories/${categoryId}`,
    valid: () => ({ name: "Green" }),
  },
  "POST /products": {
    method: "POST",
    path: () => "/products",
    valid: () => ({ name: "Sencha", price: "1.00", categoryId }),
  },
  "PATCH /products/:id/status": {
    method: "PATCH",
    path: () => `/products/${productId}/status`,
    valid: () => ({ isActive: false }),
  },
};

const undocumented = [
  ...["foo", "id", "createdAt", "updatedAt", "isAdmin", "role", "totalAmount", "status"],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"],
  ...["", " ", "Name", "name ", "items.0", "$where", "é"],
];

/** The JSON text of the object with one member more; `__proto__` included, which no literal could add. */
const withMember = (value: object, name: string, json: string): string =>
  JSON.stringify(value).replace(/}$/, () => `,${JSON.stringify(name)}:${json}}`);

const refusalOf = (...message: string[]) => errorBody(400, message);

clauseEach(
  "1.1",
  "properties outside the documented shape are refused, whatever their name",
  endpoints,
  async ({ method, path, valid }) => {
    const before = await everythingStored(app);
    const values = ["null", '"x"', '{"a":1}', "[]"].map((json) => ["foo", json] as const);
    for (const [name, json] of [...undocumented.map((name) => [name, "1"] as const), ...values]) {
      const body = withMember(valid(), name, json);
      const headers = { authorization: app.asAdmin };
      const answer = await sendJson(app.url, method, path(), body, headers);
      expect([name, answer.status, answer.body]).toEqual([
        name,
        400,
        refusalOf(`property ${name} should not exist`),
      ]);
    }
    expect(await everythingStored(app)).toEqual(before);
  },
);

clause("1.1", "properties outside the shape of an order's item are refused", async () => {
  const before = await everythingStored(app);
  const other = await app.make.product();
  const beforeOrders = await everythingStored(app);
  for (const name of [...undocumented, "unitPrice", "orderId"]) {
    const items = [
      JSON.stringify({ productId, quantity: 1 }),
      withMember({ productId: other.id, quantity: 1 }, name, "1"),
    ];
    const body = `{"customerEmail":"a@example.com","items":[${items.join(",")}]}`;
    const answer = await sendJson(app.url, "POST", "/orders", body);
    expect([name, answer.status, answer.body]).toEqual([
      name,
      400,
      refusalOf(`items.1.property ${name} should not exist`),
    ]);
  }
  expect(await everythingStored(app)).toEqual(beforeOrders);
  expect(beforeOrders.orders).toEqual(before.orders);
});

clause("1.2", "all that is wrong with a body is told in one list", async () => {
  const body = {
    foo: 1,
    bar: 2,
    customerEmail: "nobody",
    items: [{ productId: 0, quantity: 0, baz: 3 }, {}],
  };
  const answer = await sendJson(app.url, "POST", "/orders", JSON.stringify(body));
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    statusCode: 400,
    message: expect.arrayContaining([
      "property foo should not exist",
      "property bar should not exist",
      "customerEmail must be an email",
      "items.0.property baz should not exist",
      "items.0.productId must not be less than 1",
      "items.0.quantity must not be less than 1",
      expect.stringMatching(/^items\.1\.productId /),
      expect.stringMatching(/^items\.1\.quantity /),
    ]),
    error: "Bad Request",
  });
});

clauseEach(
  "1.2",
  "a single failure of validation is a list, too",
  endpoints,
  async ({ method, path, valid }) => {
    const headers = { authorization: app.asAdmin };
    const body = withMember(valid(), "foo", "1");
    const answer = await sendJson(app.url, method, path(), body, headers);
    expect(answer.body).toEqual(refusalOf("property foo should not exist"));
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  },
);

clause("1.3", "digits become integers and a number becomes a price", async () => {
  const headers = { authorization: app.asAdmin };
  const created = await sendJson(
    app.url,
    "POST",
    "/products",
    JSON.stringify({ name: "Gyokuro", price: 12.5, categoryId: `0${categoryId}`, isActive: true }),
    headers,
  );
  expect([created.status, created.body]).toMatchObject([201, { price: "12.50", categoryId }]);

  const { id } = created.body as { id: number };
  const ordered = await sendJson(
    app.url,
    "POST",
    "/orders",
    JSON.stringify({
      customerEmail: "a@example.com",
      items: [{ productId: `${id}`, quantity: "02" }],
    }),
  );
  expect([ordered.status, ordered.body]).toMatchObject([
    201,
    { totalAmount: "25.00", items: [{ productId: id, quantity: 2, unitPrice: "12.50" }] },
  ]);
});

clause("1.3", "two spellings of one id are one product", async () => {
  const items = [
    { productId, quantity: 1 },
    { productId: `00${productId}`, quantity: 1 },
  ];
  const body = JSON.stringify({ customerEmail: "a@example.com", items });
  const answer = await sendJson(app.url, "POST", "/orders", body);
  expect([answer.status, answer.body]).toEqual([
    400,
    refusalOf(`items.1.productId ${productId} occurs more than once`),
  ]);
});

clauseEach<string>(
  "1.3",
  "nothing else converts",
  {
    "a truth value as text": '{"isActive":"true"}',
    "a truth value as a number": '{"isActive":1}',
    "a truth value in a list": '{"isActive":[true]}',
    "no truth value": '{"isActive":null}',
  },
  async (body) => {
    const before = await everythingStored(app);
    const headers = { authorization: app.asAdmin };
    const path = `/products/${productId}/status`;
    const answer = await sendJson(app.url, "PATCH", path, body, headers);
    expect([answer.status, answer.body]).toEqual([
      400,
      refusalOf("isActive must be a boolean value"),
    ]);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clauseEach(
  "1.json",
  "every answer of the documented operations is JSON",
  {
    "GET /categories": "/categories",
    "GET /products": "/products",
    "GET /products/:id": "/products/1",
    "GET /products/category/:categoryId": "/products/category/1",
    "GET /orders": "/orders",
  },
  async (path) => {
    const headers = { authorization: app.asAdmin };
    const answer = await send(app.url, { method: "GET", path, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  },
);
