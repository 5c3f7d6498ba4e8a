import { eventually } from "../support/eventually";
import { HEADER } from "../cli/catalogue-files";
import { tea } from "../cli/terminal";
import { dataOf, execute, refusalOf } from "../graphql/client";
import { post } from "../idempotency/place";
import { erase } from "../record/customers";
import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { schema } from "../support/schema";
import { brief, eventsOf, idOf, placedOrder, toldBy } from "./told";

const app = useApp();

/** What each mutation tells; null for one that tells nothing. */
const mutations: Readonly<Record<string, (() => Promise<string[]>) | null>> = {
  createCategory: async () => {
    const id = await idOf(app, 'createCategory(input: { name: "Green" })');
    return [`category.created CATEGORY ${id} 1`];
  },
  updateCategory: async () => {
    const { id } = await app.make.category();
    await idOf(app, `updateCategory(id: ${id}, input: { name: "Black" })`);
    return [`category.created CATEGORY ${id} 1`, `category.updated CATEGORY ${id} 2`];
  },
  deleteCategory: async () => {
    const { id } = await app.make.category();
    await idOf(app, `deleteCategory(id: ${id})`);
    return [`category.created CATEGORY ${id} 1`, `category.deleted CATEGORY ${id} 2`];
  },
  createProduct: async () => {
    const category = await app.make.category();
    const input = `{ name: "Sencha", price: "2", categoryId: ${category.id} }`;
    const id = await idOf(app, `createProduct(input: ${input})`);
    return [`category.created CATEGORY ${category.id} 1`, `product.created PRODUCT ${id} 1`];
  },
  updateProduct: () => changedProduct((id) => `updateProduct(id: ${id}, input: { price: "3" })`),
  setProductStatus: () => changedProduct((id) => `setProductStatus(id: ${id}, isActive: false)`),
  deleteProduct: () => changedProduct((id) => `deleteProduct(id: ${id})`, "product.deleted"),
  withdrawPrice: async () => {
    let product = 0;
    const events = await changedProduct((id) => {
      product = id;
      return `updateProduct(id: ${id}, input: { price: "3" })`;
    });
    const [price] = await app.sql<{ began: Date }>(
      "SELECT min(began) AS began FROM product_prices WHERE product_id = $1",
      [product],
    );
    await idOf(app, `withdrawPrice(productId: ${product}, from: "${price!.began.toISOString()}")`);
    return [...events, `product.updated PRODUCT ${product} 3`];
  },
  placeOrder: async () => {
    const { id: productId, category_id } = await app.make.product();
    const input = `{ customerEmail: "a@example.com", items: [{ productId: ${productId}, quantity: 1 }] }`;
    const id = await idOf(app, `placeOrder(input: ${input})`);
    return [
      `category.created CATEGORY ${category_id} 1`,
      `product.created PRODUCT ${productId} 1`,
      `order.placed ORDER ${id} 1`,
    ];
  },
  setOrderStatus: async () => {
    const { id } = await app.make.order();
    await idOf(app, `setOrderStatus(id: ${id}, status: PAID)`);
    await idOf(app, `setOrderStatus(id: ${id}, status: PAID)`);
    return [`order.placed ORDER ${id} 1`, `order.status_changed ORDER ${id} 2`];
  },
  subscribeToNewsletter: async () => {
    for (let time = 0; time < 2; time += 1) {
      await dataOf(app, 'mutation { subscribeToNewsletter(email: "b@example.com") }');
    }
    return [`subscription.requested NEWSLETTER_SUBSCRIBER ${await lastSubscriber()} 1`];
  },
  unsubscribeFromNewsletter: async () => {
    for (const name of ["subscribeToNewsletter", "unsubscribeFromNewsletter"]) {
      await dataOf(app, `mutation { ${name}(email: "c@example.com") }`);
    }
    await dataOf(app, 'mutation { subscribeToNewsletter(email: "c@example.com") }');
    const id = await lastSubscriber();
    return ["requested", "ended", "confirmed"].map(
      (type, index) => `subscription.${type} NEWSLETTER_SUBSCRIBER ${id} ${index + 1}`,
    );
  },
  eraseCustomer: async () => {
    const { id } = await app.make.order({ customer_email: "erased@example.com" });
    await app.make.subscriber({ email: "erased@example.com" });
    await erase(app, "Erased@example.com");
    const subscription = `NEWSLETTER_SUBSCRIBER ${await lastSubscriber()}`;
    return [
      `order.placed ORDER ${id} 1`,
      `subscription.requested ${subscription} 1`,
      `order.updated ORDER ${id} 2`,
      `subscription.ended ${subscription} 2`,
      "customer.erased CUSTOMER null 1",
    ];
  },
  sendTestEvent: async () => {
    const { id } = await app.make.webhookEndpoint();
    await idOf(app, `sendTestEvent(endpointId: ${id})`);
    return ["test.ping null null 0"];
  },
  // Their tokens are in webhooks alone: test/newsletter.
  ...{ confirmSubscription: null, unsubscribe: null },
  ...{ createWebhookEndpoint: null, updateWebhookEndpoint: null, deleteWebhookEndpoint: null },
  ...{ rotateWebhookSecret: null, resendDelivery: null, resendEvents: null },
  login: null,
  acceptInvitation: null,
  renewToken: null,
  changePassword: null,
  ...{ startOneTimeCodes: null, confirmOneTimeCodes: null, endOneTimeCodes: null },
  ...{ startPasskey: null, confirmPasskey: null, endPasskey: null },
  ...{ startPasskeyLogin: null, loginWithPasskey: null, startPasskeyConfirmation: null },
  ...{ confirmIdentity: null, logOut: null, endSession: null, endOtherSessions: null },
  ...{ createProgramToken: null, endProgramToken: null },
};

const lastSubscriber = async (): Promise<number> => {
  const [row] = await app.sql<{ id: number }>("SELECT max(id) AS id FROM newsletter_subscribers");
  return row!.id;
};

async function changedProduct(
  field: (id: number) => string,
  type = "product.updated",
): Promise<string[]> {
  const { id, category_id } = await app.make.product({ price: "2.00" });
  await idOf(app, field(id));
  return [
    `category.created CATEGORY ${category_id} 1`,
    `product.created PRODUCT ${id} 1`,
    `${type} PRODUCT ${id} 2`,
  ];
}

test("each mutation's events are shown here", () => {
  expect(Object.keys(mutations).sort()).toEqual(
    Object.keys(schema.getMutationType()!.getFields()).sort(),
  );
});

const changing = Object.fromEntries(
  Object.entries(mutations).flatMap(([name, change]) => (change ? [[name, change]] : [])),
);

graphqlClauseEach("10.events", "a mutation tells what it changed", changing, async (change) => {
  const { told, result } = await toldBy(app, change);
  // A factory's order needs a product, of which nothing is expected here.
  const ofOthers = /^(category|product)\.created/;
  const expected = new Set(result);
  const lines = told.map(brief).filter((line) => expected.has(line) || !ofOthers.test(line));
  expect(lines).toEqual(result);
});

test("the events of REST's requests have the ids of the requests", async () => {
  const headers = { authorization: app.asAdmin, "content-type": "application/json" };
  const answer = await fetch(`${app.url}/categories`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "White" }),
  });
  const [event] = await app.sql("SELECT request_id FROM events ORDER BY id DESC LIMIT 1");
  expect(event).toEqual({ request_id: answer.headers.get("x-request-id") });
  const id = await placedOrder(app);
  const [placed] = await app.sql<{ request_id: string }>(
    "SELECT request_id FROM events WHERE subject = 'ORDER' AND subject_id = $1",
    [id],
  );
  expect(placed?.request_id).toMatch(/^[0-9a-f-]{36}$/);
});

graphqlClause("10.events.database", "changes by SQL are told, and an import", async () => {
  const { id, category_id } = await app.make.product({ name: "Sencha", slug: "by-sql" });
  const category = await slugOf(category_id);
  const { told } = await toldBy(app, async () => {
    await app.sql("UPDATE products SET price = price + 1 WHERE id = $1", [id]);
    await app.sql("UPDATE products SET price = price WHERE id = $1", [id]);
    const file = `${HEADER}\nproduct,by-sql,Sencha 2,true,,${category},5.00,\n`;
    const { exitCode, stderr } = await tea("catalogue import - --format csv", {
      ...{ input: file, environment: { DATABASE_URL: app.database.url } },
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    await app.sql("DELETE FROM products WHERE id = $1", [id]);
  });
  expect(told.map(brief)).toEqual([
    `product.updated PRODUCT ${id} 2`,
    `product.updated PRODUCT ${id} 3`,
    `product.deleted PRODUCT ${id} 4`,
  ]);
});

const slugOf = async (category: number): Promise<string> => {
  const [row] = await app.sql<{ slug: string }>("SELECT slug FROM categories WHERE id = $1", [
    category,
  ]);
  return row!.slug;
};

graphqlClause("10.events.database", "an order that SQL stores is told once", async () => {
  const { id: product } = await app.make.product();
  for (const status of ["PENDING", "PAID"]) {
    const { told } = await toldBy(app, () =>
      app.sql(`DO $$ DECLARE new_id integer; BEGIN
          BEGIN
            INSERT INTO orders (customer_email, total_amount, status)
            VALUES ('sql@example.com', 7, '${status}') RETURNING id INTO new_id;
          EXCEPTION WHEN division_by_zero THEN NULL; END;
          INSERT INTO order_items (order_id, product_id, quantity, unit_price) VALUES (new_id, ${product}, 7, 1);
        END $$`),
    );
    expect(told).toMatchObject([
      { type: "order.placed", version: 1, data: { status, items: [{ quantity: 7 }] } },
    ]);
  }
});

graphqlClause("10.events.database", "a TRUNCATE tells of each row", async () => {
  const { id } = await app.make.subscriber({ email: "truncated@example.com" });
  await app.sql("TRUNCATE newsletter_subscribers");
  const last = (await eventsOf(app, { subject: "NEWSLETTER_SUBSCRIBER", subjectId: id })).at(-1);
  expect(last).toMatchObject({ type: "subscription.ended", version: 2, data: { version: 2 } });
});

graphqlClause("10.events.versions", "a TRUNCATE tells of each order once", async () => {
  const { id } = await app.make.order();
  const { id: product_id } = await app.make.product();
  await app.make.orderItem({ order_id: id, product_id });
  const { told } = await toldBy(app, () => app.sql("TRUNCATE orders CASCADE"));
  expect(told.filter(({ subjectId }) => subjectId === id)).toMatchObject([
    { type: "order.deleted", version: 3 },
  ]);
});

graphqlClause("10.events.none", "what is rolled back is not told, nor what fails", async () => {
  const { id, category_id } = await app.make.product();
  const { told } = await toldBy(app, async () => {
    await expect(
      app.sql(`DO $$ BEGIN UPDATE products SET price = 9 WHERE id = ${id}; RAISE 'no'; END $$`),
    ).rejects.toThrow("no");
    await refusalOf(app, `mutation { deleteCategory(id: ${category_id}) { id } }`);
    await post(app, { customerEmail: "a@example.com", items: [{ productId: 0, quantity: 1 }] });
  });
  expect(told).toEqual([]);
});

graphqlClause("10.events.versions", "the events of a subject have no gap in a crowd", async () => {
  const { id } = await app.make.product({ price: "1.00" });
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? app.sql("UPDATE products SET price = price + 1 WHERE id = $1", [id])
        : execute(
            app,
            {
              query: `mutation { updateProduct(id: ${id}, input: { name: "N${index}" }) { id } }`,
            },
            app.asAdmin,
          ),
    ),
  );
  const told = await eventsOf(app, { subject: "PRODUCT", subjectId: id });
  const versions = told.map(({ version }) => version);
  expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, n) => n + 1));
  const byId = told.toSorted((a, b) => Number(a.id.split("_")[1]) - Number(b.id.split("_")[1]));
  expect(byId.map(({ version }) => version)).toEqual(versions.toSorted((a, b) => a - b));
  for (const { version, data } of told) expect(data["version"]).toBe(version);
});

graphqlClause("10.events.erased", "after an erasure, no event has the address", async () => {
  const email = "Grace@example.com";
  const id = await placedOrder(app, email);
  await app.sql("UPDATE orders SET total_amount = 9 WHERE id = $1", [id]);
  const { tombstone, events } = await erase(app, email);
  expect(events).toBe(2);
  const told = await eventsOf(app, { subject: "ORDER", subjectId: id });
  expect(told.map(({ data }) => data["customerEmail"])).toEqual([tombstone, tombstone, tombstone]);
  const [erased] = await eventsOf(app, { types: ["customer.erased"] });
  expect((await eventsOf(app, { types: ["customer.erased"] })).at(-1)?.data).toEqual({
    ...{ tombstone, version: 1 },
  });
  expect(erased?.subjectId).toBeNull();
});

graphqlClause("10.events.list", "conditions on the list, all of which hold", async () => {
  const { id } = await app.make.product();
  // The list is cut between the first two, which must not be of one millisecond.
  const isPast = "at < date_trunc('milliseconds', clock_timestamp())";
  const created = `SELECT FROM events WHERE subject = 'PRODUCT' AND subject_id = ${id} AND ${isPast}`;
  await eventually(async () => (await app.sql(created)).length === 1);
  await app.sql("UPDATE products SET price = 8.88 WHERE id = $1", [id]);
  await app.sql("DELETE FROM products WHERE id = $1", [id]);
  const mine = { subject: "PRODUCT", subjectId: id };
  const types = async (filter: object): Promise<string[]> =>
    (await eventsOf(app, { ...mine, ...filter })).map(({ type }) => type);
  const all = ["product.created", "product.updated", "product.deleted"];
  expect(await types({})).toEqual(all);
  expect(await types({ types: [] })).toEqual(all);
  expect(await types({ types: ["product.deleted", "order.placed"] })).toEqual(["product.deleted"]);
  expect(await types({ types: ["order.placed"] })).toEqual([]);
  expect(await types({ subject: "ORDER", types: ["product.deleted"] })).toEqual([]);
  expect(await types({ subject: "ADMINISTRATOR" })).toEqual([]);
  const [, { at }] = (await eventsOf(app, mine)) as [unknown, { at: string }, unknown];
  expect(await types({ from: at })).toEqual(all.slice(1));
  expect(await types({ before: at })).toEqual(all.slice(0, 1));
  const refusal = await refusalOf(
    app,
    '{ events(filter: { types: ["order.eaten"] }) { totalCount } }',
  );
  expect(refusal).toMatchObject({ reasons: [{ code: "INVALID", path: "types" }] });
});

test("an event's name tells of its time, too, as a restored database counts the same ids again", async () => {
  const [event] = await eventsOf(app);
  expect(event?.id).toBe(`evt_${event?.id.split("_")[1]}_${Date.parse(event!.at)}`);
});
