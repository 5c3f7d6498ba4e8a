import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";

const app = useApp();

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const timestamp = expect.stringMatching(TIMESTAMP);
const id = expect.any(Number);

const as = (method: "post" | "patch" | "delete", path: string) =>
  app.http[method](path).set("Authorization", app.asAdmin);

clause(
  "2.category",
  "the JSON of a category is id, name, slug, isActive and createdAt; no updatedAt",
  async () => {
    const body = { name: "Green tea", slug: "green-tea", isActive: false };
    const shape = { id, ...body, createdAt: timestamp };
    const created = await as("post", "/categories").send(body);
    expect(created.body).toEqual(shape);
    expect((await app.http.get("/categories")).body).toContainEqual(created.body);
    const path = `/categories/${created.body.id}`;
    expect((await as("patch", path).send({})).body).toEqual(created.body);
    expect((await as("delete", path)).body).toEqual(created.body);
  },
);

clause("2.category", "isActive is true by default", async () => {
  const { body } = await as("post", "/categories").send({ name: "By default" });
  expect(body.isActive).toBe(true);
});

clause(
  "2.product",
  "the JSON of a product is the nine documented fields, wherever it appears",
  async () => {
    const { id: categoryId } = await app.make.category();
    const body = {
      name: "Sencha",
      slug: "sencha",
      description: "First flush.",
      price: "12.50",
      isActive: true,
      categoryId,
    };
    const shape = { id, ...body, createdAt: timestamp, updatedAt: timestamp };
    const created = await as("post", "/products").send(body);
    expect(created.body).toEqual(shape);
    const path = `/products/${created.body.id}`;
    expect((await app.http.get(path)).body).toEqual(created.body);
    expect((await app.http.get("/products")).body.data).toContainEqual(created.body);
    expect((await app.http.get(`/products/category/${categoryId}`)).body).toEqual([created.body]);
    expect((await as("patch", `${path}/status`).send({ isActive: false })).body).toEqual({
      ...shape,
      isActive: false,
    });
    expect((await as("delete", path)).body).toEqual({ ...shape, isActive: false });
  },
);

clause(
  "2.product",
  "isActive is false and the description empty when stored without an explicit value",
  async () => {
    const { id: categoryId } = await app.make.category();
    const { body } = await as("post", "/products").send({ name: "Matcha", price: 1, categoryId });
    expect(body).toMatchObject({ isActive: false, description: "" });
  },
);

clause(
  "2.order",
  "the JSON of a created order is five fields and its items, absent from the list",
  async () => {
    const { id: productId } = await app.make.product({ price: "2.50" });
    const customerEmail = "shape@example.com";
    const created = await app.http
      .post("/orders")
      .send({ customerEmail, items: [{ productId, quantity: 3 }] });
    const fields = {
      id,
      customerEmail,
      totalAmount: "7.50",
      status: "PENDING",
      createdAt: timestamp,
    };
    const item = { id, orderId: created.body.id, productId, quantity: 3, unitPrice: "2.50" };
    expect(created.body).toEqual({ ...fields, items: [item] });
    const list = await app.http.get("/orders").set("Authorization", app.asAdmin);
    expect(list.body.data).toEqual([{ ...fields, id: created.body.id }]);
  },
);

clause(
  "2.meta",
  "the meta object is total, page, pageSize and totalPages, all integers",
  async () => {
    const { body } = await app.http.get("/products?pageSize=1");
    expect(body).toEqual({ data: [expect.any(Object)], meta: expect.any(Object) });
    const { total } = (
      await app.sql<{ total: number }>("SELECT count(*)::integer AS total FROM products")
    )[0]!;
    expect(body.meta).toEqual({ total, page: 1, pageSize: 1, totalPages: total });
  },
);

clause("2.meta", "totalPages is 0 when total is 0", async () => {
  const { body } = await app.http
    .get("/orders?customerEmail=nobody@example.com")
    .set("Authorization", app.asAdmin);
  expect(body).toEqual({ data: [], meta: { total: 0, page: 1, pageSize: 10, totalPages: 0 } });
});

clauseEach<[given: string, shown: string]>(
  "2.decimals",
  "decimals are strings with 2 decimal places",
  {
    zero: ["0", "0.00"],
    "less than one": ["0.05", "0.05"],
    "one decimal": ["4.5", "4.50"],
    "an integer": ["1200", "1200.00"],
    "ten digits": ["99999999.99", "99999999.99"],
  },
  async ([price, shown]) => {
    const { id: productId } = await app.make.product({ price });
    expect((await app.http.get(`/products/${productId}`)).body.price).toBe(shown);
    const order = { customerEmail: "a@example.com", items: [{ productId, quantity: 1 }] };
    expect((await app.http.post("/orders").send(order)).body).toMatchObject({
      totalAmount: shown,
      items: [{ unitPrice: shown }],
    });
  },
);

clause(
  "2.timestamps",
  "timestamps are ISO 8601 in UTC, to the millisecond that is stored",
  async () => {
    const created_at = "2024-02-29T23:59:59.987+05:30";
    const { id: productId } = await app.make.product({ created_at });
    const { body } = await app.http.get(`/products/${productId}`);
    expect(body.createdAt).toBe("2024-02-29T18:29:59.987Z");
  },
);

clause("2.admin", "no endpoint returns an administrator, its password or its hash", async () => {
  const admin = await app.make.admin({ email: "secret@example.com", password: "leafy secret" });
  const { password_hash: hash } = (
    await app.sql<{ password_hash: string }>("SELECT password_hash FROM admins WHERE id = $1", [
      admin.id,
    ])
  )[0]!;
  const category = await app.make.category();
  const product = await app.make.product({ category_id: category.id });
  const order = { customerEmail: "b@example.com", items: [{ productId: product.id, quantity: 1 }] };
  const answers = await Promise.all([
    app.http.post("/auth/login").send({ email: "secret@example.com", password: "leafy secret" }),
    app.http.get("/categories"),
    app.http.get("/products"),
    app.http.get(`/products/${product.id}`),
    app.http.get(`/products/category/${category.id}`),
    app.http.post("/orders").send(order),
    app.http.get("/orders").set("Authorization", app.asAdmin),
    app.http.get("/admins").set("Authorization", app.asAdmin),
    app.http.get(`/admins/${admin.id}`).set("Authorization", app.asAdmin),
    as("post", "/categories").send({ name: "Any" }),
    as("patch", `/categories/${category.id}`).send({ name: "Other" }),
    as("patch", `/products/${product.id}/status`).send({ isActive: true }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 200, 201, 200, 404, 404, 201, 200, 200,
  ]);
  for (const { text } of answers) {
    for (const secret of [hash, "leafy secret", "secret@example.com", "assword"]) {
      expect(text).not.toContain(secret);
    }
  }
});
