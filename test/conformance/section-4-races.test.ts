import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { errorBody } from "../support/refusals";

jest.setTimeout(60_000);

// Each case stops one request in the middle of its transaction, and lets another one run into it or past it.

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

type Request = () => PromiseLike<Outcome>;

/** Runs `second` into `first`, which is held; it must wait, or be answered without. The outcomes of both. */
async function meet(
  expected: "waiting" | "answered",
  first: Request,
  second: Request,
): Promise<[Outcome, Outcome]> {
  const one = Promise.resolve(first());
  await waiting(1);
  const other = Promise.resolve(second());
  expect(await Promise.race([waiting(2), other.then(() => "answered")])).toBe(expected);
  await release();
  return [outcomeOf(await one), outcomeOf(await other)];
}

/** `second` must wait for `first`. */
const collide = (first: Request, second: Request) => meet("waiting", first, second);

/** `second` must be answered while `first` is held. */
const overtake = (first: Request, second: Request) => meet("answered", first, second);

const outcomeOf = ({ status, body }: Outcome): Outcome => ({ status, body });
const refused = (status: number, message: unknown) => ({
  status,
  body: errorBody(status, message),
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
const mutate = (query: string, variables: object) =>
  app.http.post("/graphql").set("Authorization", app.asAdmin).send({ query, variables });
const updateProduct = (id: number, input: object) =>
  mutate(
    "mutation ($id: Int!, $input: UpdateProductInput!) { updateProduct(id: $id, input: $input) { id } }",
    { id, input },
  );
const setOrderStatus = (id: number, status: string) =>
  mutate(
    "mutation ($id: Int!, $status: OrderStatus!) { setOrderStatus(id: $id, status: $status) { status } }",
    { id, status },
  );
const createProduct = (categoryId: number) =>
  app.http
    .post("/products")
    .set("Authorization", app.asAdmin)
    .send({ name: "Racer", price: "1.00", categoryId });

/** Headers of an order. */
type OrderTerms = Record<string, string>;

const inactive = (id: number) =>
  refused(400, [`items.0.productId ${id} does not reference an active product`]);

clause(
  "4.races.deactivation",
  "a product can be deactivated while it is ordered; the next order is refused",
  async () => {
    const { id } = await app.make.product();
    await holdAfter("INSERT ON order_items");
    const outcomes = await overtake(
      () => order(id),
      () => setStatus(id, false),
    );
    expect(outcomes).toEqual([accepted(201), accepted(200)]);
    expect(outcomeOf(await order(id))).toEqual(inactive(id));
  },
);

clause(
  "4.races.deactivation",
  "an order does not wait for a deactivation that is not acknowledged yet",
  async () => {
    const { id } = await app.make.product();
    await holdAfter("UPDATE ON products");
    const outcomes = await overtake(
      () => setStatus(id, false),
      () => order(id),
    );
    expect(outcomes).toEqual([accepted(200), accepted(201)]);
    expect(outcomeOf(await order(id))).toEqual(inactive(id));
  },
);

clause(
  "4.races.price",
  "a price can change while the product is ordered, which keeps the price that it read",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const { id } = await app.make.product({ price: "1.00" });
    await holdAfter("INSERT ON order_items");
    const [placed, changed] = await overtake(
      () => order(id),
      () => updateProduct(id, { price: "2.00" }),
    );
    expect(placed).toMatchObject({ status: 201, body: { totalAmount: "1.00" } });
    expect(changed).toEqual({ status: 200, body: { data: { updateProduct: { id } } } });
    expect(outcomeOf(await order(id)).body).toMatchObject({ totalAmount: "2.00" });
  },
);

clause(
  "4.races.price",
  "an order sees the prices of one moment, not one that is not committed yet",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const { id } = await app.make.product({ price: "1.00" });
    const other = await app.make.product({ price: "1.00" });
    await holdAfter("UPDATE ON products");
    const [, placed] = await overtake(
      () => updateProduct(id, { price: "2.00" }),
      () => order(other.id, id),
    );
    expect(placed).toMatchObject({
      status: 201,
      body: { totalAmount: "2.00", items: [{ unitPrice: "1.00" }, { unitPrice: "1.00" }] },
    });
  },
);

clause(
  "4.races.slugs",
  "a product's slug can change as soon as the orders under way are over",
  { doors: ["GraphQL"] },
  async () => {
    const { id } = await app.make.product();
    await holdAfter("INSERT ON order_items");
    const outcomes = await collide(
      () => order(id),
      () => updateProduct(id, { slug: "renamed" }),
    );
    expect(outcomes).toEqual([
      accepted(201),
      { status: 200, body: { data: { updateProduct: { id } } } },
    ]);
  },
);

clause(
  "4.races.deletion",
  "a deletion waits for the orders that are under way, then is 409",
  async () => {
    const { id } = await app.make.product();
    await holdAfter("INSERT ON order_items");
    const outcomes = await collide(
      () => order(id),
      () => remove(`/products/${id}`),
    );
    expect(outcomes).toEqual([accepted(201), refused(409, `Product ${id} is part of orders`)]);
  },
);

clauseEach<OrderTerms>(
  "4.races.deletion",
  "an order of a product that is deleted meanwhile is refused, and names it",
  { "without a key": {}, "with a key": { "Idempotency-Key": "racing" } },
  async (terms) => {
    const { id } = await app.make.product();
    const other = await app.make.product();
    await holdAfter("DELETE ON products");
    const outcomes = await collide(
      () => remove(`/products/${id}`),
      () => order(other.id, id).set(terms),
    );
    expect(outcomes).toEqual([
      accepted(200),
      refused(400, [`items.1.productId ${id} does not reference an active product`]),
    ]);
    expect(await app.sql("SELECT id FROM orders")).toEqual([]);
    expect(await app.sql("SELECT key FROM idempotency_keys")).toEqual([]);
  },
);

clause(
  "4.races.states",
  "of two moves of an order at once the second is judged by the state that the first left",
  { doors: ["GraphQL"] },
  async () => {
    const { id } = await app.make.order();
    await holdAfter("UPDATE ON orders");
    const [first, second] = await collide(
      () => setOrderStatus(id, "CANCELLED"),
      () => setOrderStatus(id, "PAID"),
    );
    expect(first.body).toEqual({ data: { setOrderStatus: { status: "CANCELLED" } } });
    expect(second.body).toMatchObject({
      errors: [{ message: `Order ${id} is CANCELLED and can't become PAID` }],
    });
    expect(await app.sql("SELECT status FROM orders")).toEqual([{ status: "CANCELLED" }]);
  },
);

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
    expect(outcomes).toEqual([accepted(201), refused(409, `Category ${id} has products`)]);
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
    expect(outcomes).toEqual([accepted(200), refused(400, message)]);
    expect(await app.sql("SELECT id FROM products")).toEqual([]);
  },
);

clauseEach<{ make: () => Promise<{ id: number }>; table: "products" | "categories"; noun: string }>(
  "4.races.deletion",
  "of two deletions at once one is 200 and one is 404",
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
    expect(outcomes).toEqual([accepted(200), refused(404, `${noun} not found`)]);
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
      refused(409, "Slug racer is already taken"),
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
