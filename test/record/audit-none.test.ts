import { hashSync } from "bcrypt";
import { NEXT } from "../security/own-account";
import { useApp } from "../support/app";
import { clause, graphqlClause } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { doorsOf } from "./doors";
import { leftBy, rowOf } from "./entries";

/** New hashes have another cost than those of the factories. */
const app = useApp({ passwords: { cost: 5 } });
const doors = doorsOf(app);

const customer = "customer@example.com";

/** The field of an order of a product. */
const orderField = (productId: number, terms = ""): string =>
  `placeOrder(input: { customerEmail: "${customer}", items: [{ productId: ${productId}, quantity: 1 }] }${terms}) { id version }`;

clause("10.audit.public", "orders leave none", { doors: ["REST", "GraphQL"] }, async () => {
  const { id } = await app.make.product();
  const body = { customerEmail: customer, items: [{ productId: id, quantity: 1 }] };
  const { left } = await leftBy(app, async () => {
    const first = await doors.REST("placeOrder", { id: 0, body, headers: {} });
    expect(first.status).toBe(201);
    const terms = ', idempotencyKey: "one", expectedTotal: "10.00"';
    await doors.GRAPHQL(orderField(id, terms), {});
    expect((await doors.GRAPHQL(orderField(id, terms), {})).errors).toBeUndefined();
    await app.sql("UPDATE idempotency_keys SET created_at = created_at - interval '2 days'");
    expect((await doors.GRAPHQL(orderField(id, terms), {})).errors).toBeUndefined();
  });
  expect(left).toEqual([]);
});

graphqlClause(
  "10.audit.public",
  "nor does what anybody may do, sent by an administrator",
  async () => {
    const { id } = await app.make.product();
    const { email } = await app.make.admin({ password_hash: hashSync(PASSWORD, 4) });
    await app.make.subscriber({ email: "back@example.com", is_active: false });
    const { left } = await leftBy(app, async () => {
      const { errors } = await doors.GRAPHQL(
        `setProductStatus(id: ${id}, isActive: true) { id }
           updateProduct(id: ${id}, input: { name: "Bancha" }) { id }
           ${orderField(id)}
           new: subscribeToNewsletter(email: "new@example.com")
           back: subscribeToNewsletter(email: "back@example.com")
           login(input: { email: "${email}", password: "${PASSWORD}" }) { accessToken }`,
        { authorization: app.asAdmin },
      );
      expect(errors).toBeUndefined();
    });
    expect(left.map(({ operation }) => operation)).toEqual(["updateProduct"]);
  },
);

/** The REST status or GraphQL's, of something that is refused. */
async function statusOf(field: string, headers: object = { authorization: app.asAdmin }) {
  return (await doors.GRAPHQL(field, headers)).errors?.[0]?.extensions.http.statusCode;
}

clause("10.audit.none", "what is refused leaves none", { doors: ["REST", "GraphQL"] }, async () => {
  const product = await app.make.product();
  const other = await app.make.product();
  const order = await app.make.order({ status: "CANCELLED" });
  await app.make.orderItem({ order_id: order.id, product_id: product.id });
  const update = (id: number, fields: string) =>
    `updateProduct(id: ${id}, input: { ${fields} }) { id }`;
  const { left } = await leftBy(app, async () => {
    const bare = update(product.id, 'name: "X"');
    expect(await statusOf(bare, {})).toBe(401);
    expect(await statusOf(bare, { authorization: "Bearer x" })).toBe(401);
    expect(await statusOf(update(product.id, 'name: ""'))).toBe(400);
    expect(await statusOf(update(product.id, "categoryId: 99999"))).toBe(400);
    expect(await statusOf(update(product.id, `slug: "${other.slug}"`))).toBe(409);
    expect(await statusOf(update(99_999, 'name: "X"'))).toBe(404);
    expect(await statusOf(`deleteProduct(id: ${product.id}) { id }`)).toBe(409);
    expect(await statusOf(`deleteCategory(id: ${product.category_id}) { id }`)).toBe(409);
    expect(await statusOf(`setOrderStatus(id: ${order.id}, status: PAID) { id }`)).toBe(409);
    const change = `currentPassword: "wrong", newPassword: "${NEXT}"`;
    expect(await statusOf(`changePassword(${change}) { accessToken }`)).toBe(400);
  });
  expect(left).toEqual([]);
});

test("a change that fails after its entry was written, or when it is committed, leaves none", async () => {
  const { id } = await app.make.order();
  // The trigger of orders comes after those of the log.
  await app.sql(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN RAISE EXCEPTION ''not committed''; END';
     CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON categories DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION refuse();
     CREATE TRIGGER zz_refuse AFTER UPDATE ON orders EXECUTE FUNCTION refuse()`,
  );
  const { left } = await leftBy(app, async () => {
    const headers = { authorization: app.asAdmin };
    const body = { name: "Oolong" };
    expect((await doors.REST("createCategory", { id: 0, body, headers })).status).toBe(500);
    expect(await statusOf(`setOrderStatus(id: ${id}, status: PAID) { id }`)).toBe(500);
  });
  await app.sql("DROP FUNCTION refuse CASCADE");
  expect(left).toEqual([]);
});

clause("10.audit.none", "an idle change leaves none", { doors: ["REST", "GraphQL"] }, async () => {
  const product = await app.make.product({ name: "Sencha", price: "12.50" });
  const category = await app.make.category({ name: "Green" });
  const order = await app.make.order();
  const reader = await app.make.subscriber({ is_active: false });
  const headers = { authorization: app.asAdmin };
  const updated = await rowOf(app, "products", product.id);
  const { left } = await leftBy(app, async () => {
    const status = { id: product.id, body: { isActive: true }, headers };
    expect((await doors.REST("setProductStatus", status)).status).toBe(200);
    for (const body of [{}, { name: " Green " }]) {
      const answer = await doors.REST("updateCategory", { id: category.id, body, headers });
      expect(answer.status).toBe(200);
    }
    const { data, errors } = await doors.GRAPHQL(
      `updateProduct(id: ${product.id}, input: { name: "Sencha", price: 12.5, slug: "${product.slug}" }) { version }
         setProductStatus(id: ${product.id}, isActive: true) { version }
         updateCategory(id: ${category.id}, input: {}) { version }
         setOrderStatus(id: ${order.id}, status: PENDING) { version }
         unsubscribeFromNewsletter(email: "${reader.email}")
         renewToken { accessToken }`,
      headers,
    );
    expect(errors).toBeUndefined();
    const first = { version: 1 };
    expect(data).toMatchObject({
      ...{ updateProduct: first, setProductStatus: first },
      ...{ updateCategory: first, setOrderStatus: first },
    });
  });
  expect(left).toEqual([]);
  // It was written, for its `updatedAt`.
  expect(await rowOf(app, "products", product.id)).not.toEqual(updated);
});
