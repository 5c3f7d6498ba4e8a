import { startApp, useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { expectRefused } from "../support/refusals";
import { everythingStored } from "../support/stored";

const app = useApp();

const as = (method: "post" | "patch" | "delete", path: string) =>
  app.http[method](path).set("Authorization", app.asAdmin);

/** The category as the public list shows it. */
const listed = async (id: number): Promise<unknown> =>
  (await app.http.get("/categories")).body.find((each: { id: number }) => each.id === id);

clause(
  "4.categories.list",
  "GET /categories answers 200 with an array of all categories, active or not",
  async () => {
    const active = await app.make.category();
    const inactive = await app.make.category({ is_active: false });
    const { status, body } = await app.http.get("/categories");
    expect([status, Array.isArray(body)]).toEqual([200, true]);
    const ids = body.map((each: { id: number }) => each.id);
    expect(ids).toEqual(expect.arrayContaining([active.id, inactive.id]));
  },
);

clause(
  "4.categories.list",
  "by name, letter case ignored, by code point, and then by id",
  async () => {
    const own = await startApp();
    const names = [
      "beta",
      "Zen",
      "\u{1F375}",
      "Émile",
      "alpha",
      "Alpha",
      "ALPHA",
      "\uFFFD",
      "10",
      "9",
      "_",
      "a b",
    ];
    for (const name of names) await own.make.category({ name });
    // Neither an index nor the place where a row is stored gives the right order by chance.
    await own.sql("DROP INDEX categories_by_name");
    await own.sql("UPDATE categories SET is_active = false WHERE name = 'alpha'");
    const { body } = await own.http.get("/categories");
    await own.close();
    expect(body.map((each: { name: string }) => each.name)).toEqual([
      "10",
      "9",
      "_",
      "a b",
      "alpha",
      "Alpha",
      "ALPHA",
      "beta",
      "Zen",
      "Émile",
      "\uFFFD",
      "\u{1F375}",
    ]);
  },
);

clause(
  "4.categories.list",
  "no parameters: whatever the query says, it is not paginated",
  async () => {
    for (let count = 0; count < 12; count += 1) await app.make.category();
    const plain = await app.http.get("/categories");
    expect(plain.body.length).toBeGreaterThan(11);
    const { status, body } = await app.http.get("/categories?page=0&pageSize=3&isActive=false");
    expect([status, body]).toEqual([200, plain.body]);
  },
);

clause(
  "4.categories.create",
  "POST /categories answers 201 with the category and no Location",
  async () => {
    const { status, body, headers } = await as("post", "/categories").send({
      name: "  Oolong\t",
      isActive: false,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "Oolong", slug: "oolong", isActive: false });
    expect(headers).not.toHaveProperty("location");
    expect(await listed(body.id)).toEqual(body);
  },
);

clauseEach<[body: object, messages: string[]]>(
  "4.categories.create",
  "what is no category is refused and nothing is stored",
  {
    nothing: [{}, ["name must be a string"]],
    "an id": [{ name: "A", id: 7 }, ["property id should not exist"]],
    "a description": [{ name: "A", description: "" }, ["property description should not exist"]],
    "text for a flag": [{ name: "A", isActive: "true" }, ["isActive must be a boolean value"]],
    "a number for a flag": [{ name: "A", isActive: 1 }, ["isActive must be a boolean value"]],
    "null for a slug": [{ name: "A", slug: null }, ["slug must be a string"]],
    "null for a flag": [{ name: "A", isActive: null }, ["isActive must be a boolean value"]],
  },
  async ([sent, message]) => {
    const before = await everythingStored(app);
    expectRefused(await as("post", "/categories").send(sent), 400, message);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clauseEach<object>(
  "4.categories.update",
  "PATCH /categories/:id changes what is given and nothing else",
  {
    "the name, which keeps the slug": { name: "Renamed" },
    "the slug": { slug: "moved" },
    "the slug to what it is": { slug: "as-it-is" },
    isActive: { isActive: false },
    everything: { name: "All", slug: "all", isActive: false },
    nothing: {},
  },
  async (changes) => {
    const { id } = await app.make.category({ name: "As it is", slug: "as-it-is" });
    const before = await listed(id);
    const { status, body } = await as("patch", `/categories/${id}`).send(changes);
    expect([status, body]).toEqual([200, { ...(before as object), ...changes }]);
    expect(await listed(id)).toEqual(body);
    await as("delete", `/categories/${id}`);
  },
);

clause("4.categories.update", "a body that is missing altogether changes nothing", async () => {
  const { id } = await app.make.category();
  const before = await listed(id);
  const { status, body } = await as("patch", `/categories/${id}`);
  expect([status, body]).toEqual([200, before]);
});

clauseEach<[changes: object, messages: string[]]>(
  "4.categories.update",
  "null and what is no change is refused",
  {
    "null name": [{ name: null }, ["name must be a string"]],
    "null slug": [{ slug: null }, ["slug must be a string"]],
    "null isActive": [{ isActive: null }, ["isActive must be a boolean value"]],
    "an empty name": [{ name: " " }, ["name should not be empty"]],
    createdAt: [{ createdAt: "2024-01-01" }, ["property createdAt should not exist"]],
    "one of two": [{ name: "Good", isActive: "no" }, ["isActive must be a boolean value"]],
  },
  async ([changes, message]) => {
    const { id } = await app.make.category();
    const before = await everythingStored(app);
    expectRefused(await as("patch", `/categories/${id}`).send(changes), 400, message);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clause("4.categories.update", "a slug that another category has is 409", async () => {
  const { slug } = await app.make.category();
  const { id } = await app.make.category();
  const before = await everythingStored(app);
  const message = `Slug ${slug} is already taken`;
  expectRefused(await as("patch", `/categories/${id}`).send({ name: "No", slug }), 409, message);
  expect(await everythingStored(app)).toEqual(before);
});

clause("4.categories.update", "isActive of a category does not affect its products", async () => {
  const product = await app.make.product();
  const path = `/categories/${product.category_id}`;
  await as("patch", path).send({ isActive: false });
  const order = { customerEmail: "a@example.com", items: [{ productId: product.id, quantity: 1 }] };
  expect((await app.http.post("/orders").send(order)).status).toBe(201);
  const another = { name: "Another", price: "1.00", categoryId: product.category_id };
  expect((await as("post", "/products").send(another)).status).toBe(201);
  expect((await app.http.get(`/products/category/${product.category_id}`)).body).toHaveLength(2);
});

clause("4.categories.delete", "DELETE answers 200 with the category as it was", async () => {
  const { id } = await app.make.category({ is_active: false });
  const before = await listed(id);
  const { status, body } = await as("delete", `/categories/${id}`);
  expect([status, body]).toEqual([200, before]);
  expect(await listed(id)).toBeUndefined();
});

clause("4.categories.delete", "a category that has products is 409 and stays", async () => {
  const { category_id: id } = await app.make.product({ is_active: false });
  const before = await everythingStored(app);
  const message = `Category ${id} has products`;
  expectRefused(await as("delete", `/categories/${id}`), 409, message);
  expect(await everythingStored(app)).toEqual(before);
});

clauseEach(
  "4.categories.unknown",
  "unknown categories are 404, ids beyond the database's integer included",
  {
    "no such id": "2147483647",
    zero: "0",
    "beyond 32 bits": "2147483648",
    "beyond 64 bits": "18446744073709551617",
    "400 digits": "9".repeat(400),
  },
  async (id) => {
    for (const answer of [
      await as("patch", `/categories/${id}`).send({ name: "A" }),
      await as("patch", `/categories/${id}`).send({}),
      await as("delete", `/categories/${id}`),
      await app.http.get(`/products/category/${id}`),
    ]) {
      expectRefused(answer, 404, "Category not found");
    }
  },
);
