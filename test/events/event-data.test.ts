import type { GraphQLObjectType } from "graphql";
import { dataOf } from "../graphql/client";
import { useApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { schema } from "../support/schema";
import { eventsOf, idOf, placedOrder } from "./told";

const app = useApp();

/** Fields that an event has no value of: they belong to other subjects, are lists of their own, or secrets. */
const left: Readonly<Record<string, readonly string[]>> = {
  Category: ["products"],
  Product: ["category", "prices", "lowestPriceBefore"],
  Order: ["items", "lookup"],
  OrderItem: ["product"],
  NewsletterSubscriber: [],
};

/** A selection of all other fields of a type of GraphQL. */
const valuesOf = (type: string): string =>
  Object.keys((schema.getType(type) as GraphQLObjectType).getFields())
    .filter((name) => !left[type]!.includes(name))
    .join(" ");

graphqlClause("10.events.data", "data has every value of GraphQL's type", async () => {
  const order = await placedOrder(app);
  const [{ product_id: product }] = (await app.sql<{ product_id: number }>(
    "SELECT product_id FROM order_items WHERE order_id = $1",
    [order],
  )) as [{ product_id: number }];
  const subscriber = await app.make.subscriber();
  const {
    product: shown,
    order: shownOrder,
    newsletterSubscribers: list,
  } = await dataOf<{
    product: { category: object };
    order: object;
    newsletterSubscribers: { data: { id: number }[] };
  }>(
    app,
    `{ product(id: ${product}) { ${valuesOf("Product")} category { ${valuesOf("Category")} } }
       order(id: ${order}) { ${valuesOf("Order")} items { ${valuesOf("OrderItem")} } }
       newsletterSubscribers(pageSize: 50) { data { ${valuesOf("NewsletterSubscriber")} } } }`,
  );
  const { category, ...ofProduct } = shown;
  const dataOfLast = async (filter: object) => (await eventsOf(app, filter)).at(-1)?.data;
  expect(await dataOfLast({ subject: "PRODUCT", subjectId: product })).toEqual(ofProduct);
  expect(await dataOfLast({ types: ["category.created"] })).toEqual(category);
  expect(await dataOfLast({ subject: "ORDER", subjectId: order })).toEqual(shownOrder);
  expect(await dataOfLast({ subject: "NEWSLETTER_SUBSCRIBER" })).toEqual({
    ...list.data.find(({ id }) => id === subscriber.id),
    unsubscribeToken: "***",
  });
});

graphqlClause("10.events.data", "a placed order stays as it was placed", async () => {
  const id = await placedOrder(app);
  const filter = { subject: "ORDER", subjectId: id };
  const [placed] = await eventsOf(app, filter);
  expect([placed?.type, placed?.data["status"]]).toEqual(["order.placed", "PENDING"]);
  expect(placed?.data["items"]).toHaveLength(1);
  await idOf(app, `setOrderStatus(id: ${id}, status: PAID)`);
  expect((await eventsOf(app, filter))[0]).toEqual(placed);
  for (const change of [
    "UPDATE orders SET total_amount = 9 WHERE id = $1",
    "UPDATE orders SET created_at = '2024-01-01' WHERE id = $1",
    "UPDATE order_items SET quantity = 7 WHERE order_id = $1",
    `INSERT INTO order_items (order_id, product_id, quantity, unit_price)
       SELECT $1, max(id), 1, 1 FROM products`,
    "DELETE FROM order_items WHERE order_id = $1",
    "UPDATE orders SET customer_email = 'other@example.com' WHERE id = $1",
    "DELETE FROM orders WHERE id = $1",
  ]) {
    const fresh = await placedOrder(app);
    const own = { subject: "ORDER", subjectId: fresh };
    const [before] = await eventsOf(app, own);
    await app.make.product();
    await app.sql(change, [fresh]);
    expect([change, (await eventsOf(app, own))[0]]).toEqual([change, before]);
  }
});

graphqlClause("10.events.data", "an item that moves leaves both orders as placed", async () => {
  const orders = [await placedOrder(app), await placedOrder(app)];
  const placed = async () =>
    Promise.all(
      orders.map(async (subjectId) => (await eventsOf(app, { subject: "ORDER", subjectId }))[0]),
    );
  const before = await placed();
  await app.sql("UPDATE order_items SET order_id = $2 WHERE order_id = $1", orders);
  expect(await placed()).toEqual(before);
});

graphqlClause("10.events.data", "an update names the fields that it has changed", async () => {
  const { id } = await app.make.product({ name: "Sencha", price: "2.00" });
  await idOf(app, `updateProduct(id: ${id}, input: { name: "Bancha", price: "3" })`);
  const [, updated] = await eventsOf(app, { subject: "PRODUCT", subjectId: id });
  expect(updated?.data).toMatchObject({
    ...{ name: "Bancha", price: "3.00", version: 2, changed: ["name", "price"] },
  });
  const order = await placedOrder(app);
  await idOf(app, `setOrderStatus(id: ${order}, status: PAID)`);
  await app.sql("UPDATE order_items SET quantity = 3 WHERE order_id = $1", [order]);
  const [, paid, counted] = await eventsOf(app, { subject: "ORDER", subjectId: order });
  expect(paid?.data).toMatchObject({
    ...{ status: "PAID", previousStatus: "PENDING", changed: ["status"], version: 2 },
  });
  expect(counted?.data).toMatchObject({
    ...{ changed: ["items"], version: 3, items: [expect.objectContaining({ quantity: 3 })] },
  });
  expect(counted?.data).not.toHaveProperty("previousStatus");
});
