import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";

// Each case stops one request in the middle of its transaction, and lets another one run into it.

let app: TestApp;
let observer: Client;
beforeEach(async () => {
  app = await startApp();
  observer = new Client({ connectionString: app.database.url });
  await observer.connect();
  await observer.query("SELECT pg_advisory_lock(1)");
});
afterEach(async () => {
  await observer.end();
  await app.close();
});

interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

/** Makes every transaction wait, right after it has done this to a row, until {@link release}. */
const holdAfter = (event: string) =>
  observer.query(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END';
    CREATE TRIGGER hold AFTER ${event} FOR EACH ROW EXECUTE FUNCTION hold()`);

const release = () => observer.query("SELECT pg_advisory_unlock(1)");

/** Resolves as soon as so many transactions wait for a lock. */
async function waiting(count: number): Promise<"waiting"> {
  for (;;) {
    const { rows } = await observer.query<{ count: number }>(
      `SELECT count(*)::integer FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows[0]!.count >= count) return "waiting";
  }
}

/** Runs `second` into `first`, which is held: it must wait for it. The outcomes of both. */
async function collide(
  first: () => PromiseLike<Outcome>,
  second: () => PromiseLike<Outcome>,
): Promise<[Outcome, Outcome]> {
  const one = Promise.resolve(first());
  await waiting(1);
  const other = Promise.resolve(second());
  expect(await Promise.race([waiting(2), other.then(() => "answered")])).toBe("waiting");
  await release();
  return [outcomeOf(await one), outcomeOf(await other)];
}

const outcomeOf = ({ status, body }: Outcome): Outcome => ({ status, body });
const refused = (statusCode: number, error: string, message: unknown) => ({
  status: statusCode,
  body: { statusCode, message, error },
});
const accepted = (status: number) => ({ status, body: expect.objectContaining({}) });

const order = (...productIds: number[]) =>
  app.http.post("/orders").send({
    customerEmail: "racer@example.com",
    items: productIds.map((productId) => ({ productId, quantity: 1 })),
  });
const setStatus = (id: number, isActive: boolean) =>
  app.http.patch(`/products/${id}/status`).set("Authorization", app.asAdmin).send({ isActive });
const remove = (path: string) => app.http.delete(path).set("Authorization", app.asAdmin);
const createProduct = (categoryId: number) =>
  app.http
    .post("/products")
    .set("Authorization", app.asAdmin)
    .send({ name: "Racer", price: "1.00", categoryId });

const inactive = (id: number) =>
  refused(400, "Bad Request", [`items.0.productId ${id} does not reference an active product`]);

clause(
  "4.races.deactivation",
  "a deactivation waits for the orders that are under way",
  async () => {
    const { id } = await app.make.product();
    await holdAfter("INSERT ON orders");
    const outcomes = await collide(
      () => order(id),
      () => setStatus(id, false),
    );
    expect(outcomes).toEqual([accepted(201), accepted(200)]);
    expect(outcomeOf(await order(id))).toEqual(inactive(id));
  },
);

clause(
  "4.races.deactivation",
  "an order waits for a deactivation, and is then refused",
  async () => {
    const { id } = await app.make.product();
    await holdAfter("UPDATE ON products");
    const outcomes = await collide(
      () => setStatus(id, false),
      () => order(id),
    );
    expect(outcomes).toEqual([accepted(200), inactive(id)]);
    expect(await app.sql("SELECT id FROM orders")).toEqual([]);
  },
);

clause(
  "4.races.price",
  "a price that changes waits for the orders that are under way",
  async () => {
    const { id } = await app.make.product({ price: "1.00" });
    await holdAfter("INSERT ON orders");
    const change = () =>
      app
        .sql("UPDATE products SET price = 2 WHERE id = $1 RETURNING price", [id])
        .then((body) => ({ status: 200, body }));
    const [placed, changed] = await collide(() => order(id), change);
    expect(placed).toMatchObject({ status: 201, body: { totalAmount: "1.00" } });
    expect(changed.body).toEqual([{ price: "2.00" }]);
  },
);

clause(
  "4.races.deletion",
  "a deletion waits for the orders that are under way, then is 409",
  async () => {
    const { id } = await app.make.product();
    await holdAfter("INSERT ON orders");
    const outcomes = await collide(
      () => order(id),
      () => remove(`/products/${id}`),
    );
    expect(outcomes).toEqual([
      accepted(201),
      refused(409, "Conflict", `Product ${id} is part of orders`),
    ]);
  },
);

clause("4.races.deletion", "an order waits for a deletion, and is then refused", async () => {
  const { id } = await app.make.product();
  await holdAfter("DELETE ON products");
  const outcomes = await collide(
    () => remove(`/products/${id}`),
    () => order(id),
  );
  expect(outcomes).toEqual([accepted(200), inactive(id)]);
  expect(await app.sql("SELECT id FROM orders")).toEqual([]);
});

clause(
  "4.races.categories",
  "deleting a category waits for a product of it, then is 409",
  async () => {
    const { id } = await app.make.category();
    await holdAfter("INSERT ON products");
    const outcomes = await collide(
      () => createProduct(id),
      () => remove(`/categories/${id}`),
    );
    expect(outcomes).toEqual([
      accepted(201),
      refused(409, "Conflict", `Category ${id} has products`),
    ]);
  },
);

clause(
  "4.races.categories",
  "a product waits for the deletion of its category, then is 400",
  async () => {
    const { id } = await app.make.category();
    await holdAfter("DELETE ON categories");
    const outcomes = await collide(
      () => remove(`/categories/${id}`),
      () => createProduct(id),
    );
    const message = [`categoryId ${id} does not reference an existing category`];
    expect(outcomes).toEqual([accepted(200), refused(400, "Bad Request", message)]);
    expect(await app.sql("SELECT id FROM products")).toEqual([]);
  },
);

clauseEach<{ make: () => Promise<{ id: number }>; table: "products" | "categories"; noun: string }>(
  "4.races.deletion",
  "of two deletions at once one is 200 and one is 404",
  {},
  {
    product: { make: () => app.make.product(), table: "products", noun: "Product" },
    category: { make: () => app.make.category(), table: "categories", noun: "Category" },
  },
  async ({ make, table, noun }) => {
    const { id } = await make();
    await holdAfter(`DELETE ON ${table}`);
    const outcomes = await collide(
      () => remove(`/${table}/${id}`),
      () => remove(`/${table}/${id}`),
    );
    expect(outcomes).toEqual([accepted(200), refused(404, "Not Found", `${noun} not found`)]);
  },
);

clause(
  "4.races.slugs",
  "a slug that a request under way takes is waited for, then 409",
  async () => {
    await holdAfter("INSERT ON categories");
    const create = () =>
      app.http
        .post("/categories")
        .set("Authorization", app.asAdmin)
        .send({ name: "Racer", slug: "racer" });
    expect(await collide(create, create)).toEqual([
      accepted(201),
      refused(409, "Conflict", "Slug racer is already taken"),
    ]);
  },
);

clause("4.races.slugs", "a derived slug that a request under way takes is evaded", async () => {
  await holdAfter("INSERT ON categories");
  const create = () =>
    app.http.post("/categories").set("Authorization", app.asAdmin).send({ name: "Racer" });
  expect(await collide(create, create)).toMatchObject([
    { status: 201, body: { slug: "racer" } },
    { status: 201, body: { slug: "racer-2" } },
  ]);
});

clause("4.races.updates", "two changes of a category at once both last", async () => {
  const { id, slug } = await app.make.category();
  await holdAfter("UPDATE ON categories");
  const change = (changes: object) =>
    app.http.patch(`/categories/${id}`).set("Authorization", app.asAdmin).send(changes);
  const [, second] = await collide(
    () => change({ name: "Renamed" }),
    () => change({ isActive: false }),
  );
  expect(second.body).toMatchObject({ id, slug, name: "Renamed", isActive: false });
});
