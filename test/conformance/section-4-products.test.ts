import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { errorBody, expectRefused } from "../support/refusals";
import { everythingStored } from "../support/stored";

const app = useApp();

const as = (method: "post" | "patch" | "delete", path: string) =>
  app.http[method](path).set("Authorization", app.asAdmin);

clause(
  "4.products.create",
  "POST /products answers 201 with the product and its address",
  async () => {
    const { id: categoryId } = await app.make.category();
    const sent = {
      name: " Sencha ",
      slug: "my-sencha",
      description: " First flush. ",
      price: 12.5,
      isActive: true,
      categoryId: String(categoryId),
    };
    const { status, body, headers } = await as("post", "/products").send(sent);
    expect([status, body]).toMatchObject([
      201,
      { ...sent, name: "Sencha", price: "12.50", categoryId },
    ]);
    expect(headers.location).toBe(`/products/${body.id}`);
    const found = await app.http.get(headers.location!);
    expect([found.status, found.body]).toEqual([200, body]);
  },
);

clauseEach<[fields: object, messages: string[]]>(
  "4.products.create",
  "what is no product is refused and nothing is stored",
  {
    "no name": [{ name: undefined }, ["name must be a string"]],
    "no price": [
      { price: undefined },
      ["price must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places"],
    ],
    "no category": [
      { categoryId: undefined },
      ["categoryId must be an integer number", "categoryId must not be less than 1"],
    ],
    "category 0": [{ categoryId: 0 }, ["categoryId must not be less than 1"]],
    "an id": [{ id: 5 }, ["property id should not exist"]],
    updatedAt: [{ updatedAt: "2024-01-01" }, ["property updatedAt should not exist"]],
    "a category": [{ category: { name: "A" } }, ["property category should not exist"]],
    "two faults": [
      { isActive: null, stock: 5 },
      ["property stock should not exist", "isActive must be a boolean value"],
    ],
  },
  async ([fields, messages]) => {
    const { id: categoryId } = await app.make.category();
    const before = await everythingStored(app);
    const sent = { name: "Sencha", price: "1.00", categoryId, ...fields };
    const { status, body } = await as("post", "/products").send(sent);
    expect([status, { ...body, message: body.message.toSorted() }]).toEqual([
      400,
      errorBody(400, messages.toSorted()),
    ]);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clauseEach(
  "4.products.create",
  "a category that does not exist is 400, ids beyond the database's integer included",
  {
    "no such id": 42_000,
    "32 bits": 2_147_483_647,
    beyond: 2_147_483_648,
    "2^53-1": 9_007_199_254_740_991,
  },
  async (categoryId) => {
    const before = await everythingStored(app);
    const sent = { name: "Sencha", price: "1.00", categoryId };
    const message = [`categoryId ${categoryId} does not reference an existing category`];
    expectRefused(await as("post", "/products").send(sent), 400, message);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clause(
  "4.products.get",
  "GET /products/:id answers 200 with a product, active or not",
  async () => {
    for (const is_active of [true, false]) {
      const { id } = await app.make.product({ is_active });
      const { status, body } = await app.http.get(`/products/${id}`);
      expect([status, body]).toMatchObject([200, { id, isActive: is_active }]);
      expect((await app.http.get(`/products/000${id}`)).body).toEqual(body);
    }
  },
);

clauseEach(
  "4.products.unknown",
  "unknown products are 404, ids beyond the database's integer included",
  {
    "no such id": "2147483647",
    zero: "0",
    "beyond 32 bits": "2147483648",
    "beyond 64 bits": "18446744073709551617",
    "400 digits": "9".repeat(400),
  },
  async (id) => {
    for (const answer of [
      await app.http.get(`/products/${id}`),
      await as("patch", `/products/${id}/status`).send({ isActive: true }),
      await as("delete", `/products/${id}`),
    ]) {
      expectRefused(answer, 404, "Product not found");
    }
  },
);

clauseEach(
  "7.path-ids",
  "a path id that is not base-10 digits is 400",
  {
    "a word": "sencha",
    hexadecimal: "0x10",
    "an exponent": "1e3",
    negative: "-1",
    "a plus sign": "+1",
    decimals: "1.0",
    "a space": "%201",
    "Arabic digits": "%D9%A1",
    NUL: "1%00",
    "what can't be decoded": "%E0%A4%A",
  },
  async (id) => {
    const message = "Validation failed (numeric string is expected)";
    for (const answer of [
      await app.http.get(`/products/${id}`),
      await app.http.get(`/products/category/${id}`),
      await as("patch", `/products/${id}/status`).send({ isActive: true }),
      await as("delete", `/products/${id}`),
      await as("patch", `/categories/${id}`).send({ name: "A" }),
      await as("delete", `/categories/${id}`),
    ]) {
      expectRefused(answer, 400, message);
    }
  },
);

clause(
  "4.products.status",
  "PATCH /products/:id/status answers 200 with the changed product",
  async () => {
    const { id } = await app.make.product({ is_active: false });
    const before = (await app.http.get(`/products/${id}`)).body;
    for (const isActive of [true, true, false]) {
      const { status, body } = await as("patch", `/products/${id}/status`).send({ isActive });
      expect([status, body]).toEqual([200, { ...before, isActive, updatedAt: expect.any(String) }]);
      expect((await app.http.get(`/products/${id}`)).body).toEqual(body);
    }
  },
);

clauseEach<[change: object, messages: string[]]>(
  "4.products.status",
  "isActive is required, and all that can be changed",
  {
    nothing: [{}, ["isActive must be a boolean value"]],
    null: [{ isActive: null }, ["isActive must be a boolean value"]],
    text: [{ isActive: "true" }, ["isActive must be a boolean value"]],
    "a price": [{ isActive: true, price: "0.01" }, ["property price should not exist"]],
    "a status": [
      { status: true },
      ["property status should not exist", "isActive must be a boolean value"],
    ],
  },
  async ([change, message]) => {
    const { id } = await app.make.product({ is_active: false });
    const before = await everythingStored(app);
    expectRefused(await as("patch", `/products/${id}/status`).send(change), 400, message);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clause("4.products.delete", "DELETE answers 200 with the product as it was", async () => {
  const { id } = await app.make.product();
  const before = (await app.http.get(`/products/${id}`)).body;
  const { status, body } = await as("delete", `/products/${id}`);
  expect([status, body]).toEqual([200, before]);
  const gone = await app.http.get(`/products/${id}`);
  expectRefused(gone, 404, "Product not found");
  expect((await as("delete", `/products/${id}`)).status).toBe(404);
});

clause("4.products.delete", "a product that orders refer to is 409 and stays", async () => {
  const { id } = await app.make.product();
  const order = { customerEmail: "a@example.com", items: [{ productId: id, quantity: 1 }] };
  expect((await app.http.post("/orders").send(order)).status).toBe(201);
  const before = await everythingStored(app);
  const message = `Product ${id} is part of orders`;
  expectRefused(await as("delete", `/products/${id}`), 409, message);
  expect(await everythingStored(app)).toEqual(before);
});
