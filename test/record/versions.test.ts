import { dataOf, execute, refusalOf } from "../graphql/client";
import { tea } from "../cli/terminal";
import { useApp } from "../support/app";
import { clause, graphqlClause, graphqlClauseEach } from "../support/clause";
import { sendJson } from "../support/raw-http";
import { rowOf } from "./entries";

const app = useApp();

const versionOf = async (table: string, id: number): Promise<unknown> =>
  (await rowOf(app, table, id))?.["version"];

/** The version that a mutation tells. */
async function told(field: string): Promise<number> {
  const data = await dataOf<{ it: { version: number } }>(
    app,
    `mutation { it: ${field} { version } }`,
  );
  return data.it.version;
}

/** Sends a change to REST. */
async function rest(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { authorization: app.asAdmin };
  const answer = await sendJson(app.url, method, path, JSON.stringify(body), headers);
  expect(answer.status).toBeLessThan(300);
  return answer.body as Record<string, unknown>;
}

const times = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

clause("10.version", "each visible change raises it", { doors: ["REST", "GraphQL"] }, async () => {
  const { id, slug, category_id } = await app.make.product({ name: "Sencha", price: "2.00" });
  const category = await rowOf(app, "categories", category_id);
  await rest("PATCH", `/products/${id}/status`, { isActive: false });
  expect(await versionOf("products", id)).toBe(2);
  expect(await told(`setProductStatus(id: ${id}, isActive: true)`)).toBe(3);
  expect(await told(`updateProduct(id: ${id}, input: { name: "Bancha", price: "3" })`)).toBe(4);
  const [row] = await app.sql(
    `UPDATE products SET price = 4, name = 'B' WHERE id = ${id} RETURNING version`,
  );
  expect(row).toEqual({ version: 5 });
  const file = `type,slug,name,isActive,category,price,description\nproduct,${slug},B,true,${String(category!["slug"])},5.00,\n`;
  const environment = { DATABASE_URL: app.database.url };
  const imported = () => tea("catalogue import - --format csv", { input: file, environment });
  expect(await imported()).toMatchObject({ exitCode: 0 });
  expect(await versionOf("products", id)).toBe(6);
  expect(await imported()).toMatchObject({ exitCode: 0 });
  expect(await versionOf("products", id)).toBe(6);
  await rest("PATCH", `/categories/${category_id}`, { name: "Once" });
  expect(await told(`updateCategory(id: ${category_id}, input: { name: "Twice" })`)).toBe(3);
  expect(await versionOf("categories", category_id)).toBe(Number(category!["version"]) + 2);
  const shown = await dataOf(app, `{ product(id: ${id}) { version category { version } } }`);
  expect(shown).toEqual({ product: { version: 6, category: { version: 3 } } });
  const order = await app.make.order();
  expect(await told(`setOrderStatus(id: ${order.id}, status: PAID)`)).toBe(2);
  expect(await told(`setOrderStatus(id: ${order.id}, status: CANCELLED)`)).toBe(3);
  // What is deleted is shown as it was.
  expect(await told(`deleteProduct(id: ${id})`)).toBe(6);
});

// Those of the doors are in audit-none.test.ts.
clause("10.version", "idle changes raise nothing", { doors: ["REST", "GraphQL"] }, async () => {
  const product = await app.make.product();
  const order = await app.make.order();
  const idle: [table: string, id: number, assignment: string][] = [
    ["products", product.id, "name = name, updated_at = now(), version = 7"],
    ["categories", product.category_id, "name = name, version = 0"],
    ["orders", order.id, "status = status"],
  ];
  for (const [table, id, assignment] of idle) {
    await app.sql(`UPDATE ${table} SET ${assignment} WHERE id = ${id}`);
    expect([table, await versionOf(table, id)]).toEqual([table, 1]);
  }
});

clause("10.version", "50 writers raise it 50 times", { doors: ["REST", "GraphQL"] }, async () => {
  const { id } = await app.make.category();
  const writers = times(20, (index) => [
    told(`updateCategory(id: ${id}, input: { name: "By GraphQL ${index}" })`),
    app
      .sql<{ version: number }>(
        `UPDATE categories SET name = 'By SQL ${index}' WHERE id = ${id} RETURNING version`,
      )
      .then(([row]) => row!.version),
  ]);
  const others = times(10, (index) =>
    rest("PATCH", `/categories/${id}`, { name: `By REST ${index}` }),
  );
  const versions = await Promise.all(writers.flat());
  await Promise.all(others);
  expect(new Set(versions).size).toBe(40);
  expect(await versionOf("categories", id)).toBe(51);
  expect(times(50, (index) => index + 2)).toEqual(expect.arrayContaining(versions));
});

describe("a placed order", () => {
  const placed = async (productIds: number[], terms = "") => {
    const items = productIds.map((productId) => `{ productId: ${productId}, quantity: 2 }`).join();
    const { body } = await execute(app, {
      query: `mutation { placeOrder(input: { customerEmail: "a@example.com", items: [${items}] }${terms}) { id version } }`,
    });
    return (body.data as { placeOrder: { id: number; version: number } }).placeOrder;
  };

  clause("10.version", "an order has version 1", { doors: ["REST", "GraphQL"] }, async () => {
    const ids = [(await app.make.product()).id, (await app.make.product()).id];
    const all = await Promise.all(times(20, () => placed(ids)));
    const body = { customerEmail: "b@example.com", items: [{ productId: ids[0], quantity: 1 }] };
    const { id } = (await rest("POST", "/orders", body)) as { id: number };
    const first = await placed(ids, ', idempotencyKey: "one"');
    await app.sql("UPDATE idempotency_keys SET created_at = created_at - interval '2 days'");
    const second = await placed(ids, ', idempotencyKey: "one"');
    expect(second.id).not.toBe(first.id);
    const placedOrders = [...all, first, second];
    expect(placedOrders.map(({ version }) => version)).toEqual(placedOrders.map(() => 1));
    const rows = await app.sql("SELECT FROM orders WHERE id = ANY ($1) AND version = 1", [
      [id, ...placedOrders.map((order) => order.id)],
    ]);
    expect(rows).toHaveLength(placedOrders.length + 1);
  });

  test("has the present version when it is sent again", async () => {
    const { id } = await app.make.product();
    const terms = ', idempotencyKey: "two"';
    const first = await placed([id], terms);
    expect(await placed([id], terms)).toEqual({ ...first, version: 1 });
    await told(`setOrderStatus(id: ${first.id}, status: PAID)`);
    expect(await placed([id], terms)).toEqual({ ...first, version: 2 });
  });
});

/** A mutation that takes an expected version. */
interface Guarded {
  readonly noun: string;
  readonly table: string;
  /** A row of version 5. */
  readonly made: () => Promise<number>;
  /** The field with further arguments. */
  readonly field: (id: number, terms: string) => string;
}

/** A kind of rows, of which those that are made were changed four times. */
const kind = (
  noun: string,
  table: string,
  make: () => Promise<{ id: number }>,
  column = "name",
): Omit<Guarded, "field"> => ({
  ...{ noun, table },
  made: async () => {
    const { id } = await make();
    for (let n = 0; n < 4; n += 1) {
      const value = `changed-${id}-${n}@example.com`;
      await app.sql(`UPDATE ${table} SET ${column} = $1 WHERE id = ${id}`, [value]);
    }
    return id;
  },
});
const category = kind("Category", "categories", () => app.make.category());
const product = kind("Product", "products", () => app.make.product());
const order = kind("Order", "orders", () => app.make.order(), "customer_email");

const guarded: Record<string, Guarded> = {
  updateCategory: {
    ...category,
    field: (id, terms) => `updateCategory(id: ${id}, input: { name: "Mine" }${terms}) { version }`,
  },
  deleteCategory: {
    ...category,
    field: (id, terms) => `deleteCategory(id: ${id}${terms}) { version }`,
  },
  updateProduct: {
    ...product,
    field: (id, terms) => `updateProduct(id: ${id}, input: { price: "3" }${terms}) { version }`,
  },
  setProductStatus: {
    ...product,
    field: (id, terms) => `setProductStatus(id: ${id}, isActive: false${terms}) { version }`,
  },
  deleteProduct: {
    ...product,
    field: (id, terms) => `deleteProduct(id: ${id}${terms}) { version }`,
  },
  setOrderStatus: {
    ...order,
    field: (id, terms) => `setOrderStatus(id: ${id}, status: PAID${terms}) { version }`,
  },
};

const mutate = (field: string) => execute(app, { query: `mutation { it: ${field} }` }, app.asAdmin);

graphqlClauseEach(
  "10.version.expected",
  "another version than the expected one is a conflict that names the present one, and changes nothing",
  guarded,
  async ({ noun, table, made, field }) => {
    const id = await made();
    const before = await rowOf(app, table, id);
    expect(before!["version"]).toBe(5);
    for (const version of [4, 6, 0, -1, 2_147_483_647]) {
      const query = `mutation { ${field(id, `, expectedVersion: ${version}`)} }`;
      const message = `${noun} ${id} has changed: its version is 5, not ${version}`;
      expect(await refusalOf(app, query)).toEqual({
        code: "CONFLICT",
        http: { statusCode: 409, message, error: "Conflict" },
        reasons: [{ code: "VERSION", path: "expectedVersion", version: 5 }],
      });
    }
    expect(await rowOf(app, table, id)).toEqual(before);
    const unknown = `mutation { ${field(99_999, ", expectedVersion: 1")} }`;
    expect(await refusalOf(app, unknown)).toMatchObject({ code: "NOT_FOUND" });
    expect((await mutate(field(id, ", expectedVersion: 5"))).body.errors).toBeUndefined();
    expect(await rowOf(app, table, id)).not.toEqual(before);
  },
);

graphqlClauseEach(
  "10.version.expected",
  "`null` counts as left out: the change is made, whichever version there is",
  guarded,
  async ({ table, made, field }) => {
    const id = await made();
    const before = await rowOf(app, table, id);
    expect((await mutate(field(id, ", expectedVersion: null"))).body.errors).toBeUndefined();
    expect(await rowOf(app, table, id)).not.toEqual(before);
  },
);

graphqlClauseEach(
  "10.version.expected",
  "of 20 that expect the same version, exactly one succeeds",
  guarded,
  async ({ table, made, field }) => {
    const id = await made();
    const answers = await Promise.all(times(20, () => mutate(field(id, ", expectedVersion: 5"))));
    const codes = answers.map(({ body }) => body.errors?.[0]?.extensions.code ?? "changed");
    const refusal = (await rowOf(app, table, id)) ? "CONFLICT" : "NOT_FOUND";
    expect(codes.sort()).toEqual([...times(19, () => refusal), "changed"]);
  },
);

graphqlClause("10.version.expected", "an empty change expects it as well", async () => {
  const kinds = [category, product, order];
  const [categoryId, productId, orderId] = await Promise.all(kinds.map(({ made }) => made()));
  const idle = (version: number) => [
    `updateCategory(id: ${categoryId}, input: {}, expectedVersion: ${version}) { version }`,
    `updateProduct(id: ${productId}, input: {}, expectedVersion: ${version}) { version }`,
    `setProductStatus(id: ${productId}, isActive: true, expectedVersion: ${version}) { version }`,
    `setOrderStatus(id: ${orderId}, status: PENDING, expectedVersion: ${version}) { version }`,
  ];
  const nouns = ["Category", "Product", "Product", "Order"];
  for (const [index, field] of idle(4).entries()) {
    const [error] = (await mutate(field)).body.errors ?? [];
    expect(error?.message).toMatch(
      new RegExp(`^${nouns[index]} [0-9]+ has changed: its version is 5, not 4$`),
    );
  }
  for (const field of idle(5)) {
    expect((await mutate(field)).body.data).toEqual({ it: { version: 5 } });
  }
});

test("a version that is expected comes before other conflicts", async () => {
  const { id } = await app.make.product();
  const other = await app.make.product();
  const placed = await app.make.order({ status: "CANCELLED" });
  await app.make.orderItem({ order_id: placed.id, product_id: id });
  for (const field of [
    `updateProduct(id: ${id}, input: { slug: "${other.slug}" }, expectedVersion: 9) { id }`,
    `updateProduct(id: ${id}, input: { categoryId: 99999 }, expectedVersion: 9) { id }`,
    `deleteProduct(id: ${id}, expectedVersion: 9) { id }`,
    `deleteCategory(id: ${other.category_id}, expectedVersion: 9) { id }`,
    `setOrderStatus(id: ${placed.id}, status: PAID, expectedVersion: 9) { id }`,
  ]) {
    const reason = (await mutate(field)).body.errors?.[0]?.extensions.reasons?.[0];
    expect([field, reason?.code]).toEqual([field, "VERSION"]);
  }
});
