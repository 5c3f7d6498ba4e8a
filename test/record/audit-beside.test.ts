import { Client } from "pg";
import { startReplica, useApp } from "../support/app";
import { createRole, query } from "../support/database";
import { graphqlClause } from "../support/clause";
import { sendJson } from "../support/raw-http";
import { startTransactionPooler } from "../support/transaction-pooler";
import { change, entries, leftBy } from "./entries";

jest.setTimeout(60_000);

const app = useApp();

const owner = async (): Promise<string> =>
  (await app.sql<{ name: string }>("SELECT current_user AS name"))[0]!.name;

/** An order with an item of two. */
async function orderOfTwo() {
  const product = await app.make.product({ price: "10.00" });
  const order = await app.make.order({ total_amount: "20.00" });
  const item = await app.make.orderItem({
    order_id: order.id,
    product_id: product.id,
    quantity: 2,
  });
  return { product, order, item };
}

const versionOf = async (table: string, id: number): Promise<number> =>
  (await app.sql<{ version: number }>(`SELECT version FROM ${table} WHERE id = $1`, [id]))[0]!
    .version;

/** Runs statements, each in a transaction of its own, in a session of a role that may change the shop's tables. */
async function asStranger(statements: readonly string[]): Promise<string> {
  const { name: role, url } = await createRole(app.database.url);
  await app.sql(
    `GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE
     ON categories, products, orders, order_items, audit_entries TO ${role}`,
  );
  await app.sql(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
  await app.sql(`GRANT ${role} TO CURRENT_USER`);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
    await app.sql(`DROP OWNED BY ${role}`);
  }
  return role;
}

graphqlClause("10.audit.database", "each row that SQL changes leaves one entry", async () => {
  const actor = await owner();
  const { left } = await leftBy(app, async () => {
    await app.sql("INSERT INTO categories (name, slug) VALUES ('Green', 'a'), ('White', 'b')");
    await app.sql("UPDATE categories SET is_active = false WHERE slug IN ('a', 'b')");
    await app.sql("DELETE FROM categories WHERE slug = 'a'");
  });
  const by = { actor, door: "DATABASE", subject: "CATEGORY", address: null, requestId: null };
  expect(left).toMatchObject([
    {
      ...by,
      operation: "INSERT",
      changes: [{ field: "name", before: null, after: "Green" }, {}, {}, {}],
    },
    {
      ...by,
      operation: "INSERT",
      changes: [{ field: "name", before: null, after: "White" }, {}, {}, {}],
    },
    { ...by, operation: "UPDATE", changes: [change("isActive", "true", "false")] },
    { ...by, operation: "UPDATE", changes: [change("isActive", "true", "false")] },
    {
      ...by,
      operation: "DELETE",
      changes: [
        change("name", "Green", null),
        change("slug", "a", null),
        change("isActive", "false", null),
        {},
      ],
    },
  ]);
  expect(left[4]!.subjectId).toBe(left[0]!.subjectId);
});

test("times in entries are in UTC, whatever the session's time zone is", async () => {
  const { left } = await leftBy(app, async () => {
    const client = new Client({ connectionString: app.database.url });
    await client.connect();
    await client.query("SET timezone = 'Asia/Kathmandu'");
    await client.query(
      "INSERT INTO categories (name, slug, created_at) VALUES ('Nepal', 'nepal', '2026-01-31T12:00:00Z')",
    );
    await client.end();
  });
  expect(left[0]!.changes).toContainEqual(change("createdAt", null, "2026-01-31T12:00:00.000Z"));
});

graphqlClause("10.audit.database", "TRUNCATE leaves an entry for each row", async () => {
  const { order, item, product } = await orderOfTwo();
  const actor = await owner();
  const items = await leftBy(app, () => app.sql("TRUNCATE order_items"));
  expect(items.left).toMatchObject([
    {
      ...{ actor, door: "DATABASE", operation: "DELETE", subject: "ORDER", subjectId: order.id },
      changes: [
        change(`items.${item.id}.productId`, String(product.id), null),
        change(`items.${item.id}.quantity`, "2", null),
        change(`items.${item.id}.unitPrice`, "10.00", null),
        change(`items.${item.id}.productName`, product.name, null),
        change(`items.${item.id}.productSlug`, product.slug, null),
      ],
    },
  ]);
  expect(await versionOf("orders", order.id)).toBe(3);
  const { left } = await leftBy(app, () =>
    app.sql("TRUNCATE newsletter_subscribers, orders CASCADE"),
  );
  expect(left).toMatchObject([{ operation: "DELETE", subject: "ORDER", subjectId: order.id }]);
  expect(left[0]!.changes).toContainEqual(change("totalAmount", "20.00", null));
});

describe("items of orders", () => {
  graphqlClause("10.version", "items that SQL changes raise their orders' versions", async () => {
    const { order, item, product } = await orderOfTwo();
    const before = await versionOf("orders", order.id);
    const other = await app.make.order();
    const [second, third] = [await app.make.product(), await app.make.product()];
    const raised = async (statement: string): Promise<number[]> => {
      await app.sql(statement);
      return [(await versionOf("orders", order.id)) - before, await versionOf("orders", other.id)];
    };
    expect(
      await raised(`INSERT INTO order_items (order_id, product_id, quantity, unit_price)
          VALUES (${order.id}, ${second.id}, 1, 1), (${order.id}, ${third.id}, 1, 1)`),
    ).toEqual([1, 1]);
    expect(
      await raised(`UPDATE order_items SET quantity = 5 WHERE order_id = ${order.id}`),
    ).toEqual([2, 1]);
    expect(await raised("UPDATE order_items SET quantity = quantity")).toEqual([2, 1]);
    expect(
      await raised(
        `UPDATE order_items SET order_id = ${other.id} WHERE product_id <> ${product.id}`,
      ),
    ).toEqual([3, 2]);
    expect(await raised(`DELETE FROM order_items WHERE id = ${item.id}`)).toEqual([4, 2]);
    expect(await raised(`DELETE FROM orders WHERE id = 0`)).toEqual([4, 2]);
  });

  graphqlClause("10.audit.items", "items that SQL changes are entries of the orders", async () => {
    const { order, item, product } = await orderOfTwo();
    const other = await app.make.order();
    const field = (name: string) => `items.${item.id}.${name}`;
    const { left } = await leftBy(app, async () => {
      await app.sql(`UPDATE order_items SET quantity = 3 WHERE id = ${item.id}`);
      await app.sql(`UPDATE order_items SET order_id = ${other.id} WHERE id = ${item.id}`);
      await app.sql(`DELETE FROM order_items WHERE id = ${item.id}`);
    });
    const values = [
      ["productId", String(product.id)],
      ["quantity", "3"],
      ["unitPrice", "10.00"],
      ["productName", product.name],
      ["productSlug", product.slug],
    ] as const;
    const gone = values.map(([name, value]) => change(field(name), value, null));
    const come = values.map(([name, value]) => change(field(name), null, value));
    const shown = left.map(({ operation, subjectId, changes }) => [operation, subjectId, changes]);
    expect(shown[0]).toEqual(["UPDATE", order.id, [change(field("quantity"), "2", "3")]]);
    expect(shown.slice(1, 3)).toEqual(
      expect.arrayContaining([
        ["UPDATE", order.id, gone],
        ["UPDATE", other.id, come],
      ]),
    );
    expect(shown.slice(3)).toEqual([["DELETE", other.id, gone]]);
  });

  test("an order that SQL stores with its items, in one statement or in several, has version 1 and one entry", async () => {
    const { id } = await app.make.product();
    const item = "INSERT INTO order_items (order_id, product_id, quantity, unit_price)";
    const { left } = await leftBy(app, () =>
      asStranger([
        `WITH new AS (INSERT INTO orders (customer_email, total_amount) VALUES ('a@example.com', 1) RETURNING id)
         ${item} SELECT id, ${id}, 1, 1 FROM new`,
        `BEGIN; INSERT INTO orders (customer_email, total_amount) VALUES ('b@example.com', 1);
         ${item} VALUES (currval('orders_id_seq'), ${id}, 1, 1); COMMIT`,
      ]),
    );
    const orders = await app.sql<{ id: number; version: number }>(
      "SELECT id, version FROM orders WHERE customer_email IN ('a@example.com', 'b@example.com') ORDER BY id",
    );
    expect(orders.map(({ version }) => version)).toEqual([1, 1]);
    expect(left.map(({ operation, subjectId }) => [operation, subjectId])).toEqual(
      orders.map((order) => ["INSERT", order.id]),
    );
  });

  test.each([
    ["an idle", "status = status", []],
    ["an", "status = 'PAID'", ["UPDATE"]],
  ])(
    "an item added to an older order is seen, even after %s UPDATE",
    async (_label, assignment, before) => {
      const order = await app.make.order();
      const { id } = await app.make.product();
      const { left, result: actor } = await leftBy(app, () =>
        asStranger([
          `BEGIN; UPDATE orders SET ${assignment} WHERE id = ${order.id};
           INSERT INTO order_items (order_id, product_id, quantity, unit_price)
           VALUES (${order.id}, ${id}, 1, 1);
           COMMIT`,
        ]),
      );
      expect(left.map(({ operation }) => operation)).toEqual([...before, "INSERT"]);
      const by = { actor, door: "DATABASE", subject: "ORDER", subjectId: order.id };
      for (const entry of left) expect(entry).toMatchObject(by);
      expect(await versionOf("orders", order.id)).toBe(2 + before.length);
    },
  );
});

describe("another role", () => {
  const forged = JSON.stringify({
    door: "REST",
    operation: "createProduct",
    actor: "ada@example.com",
  });
  const rename = (to: string, id: number) => `UPDATE products SET name = '${to}' WHERE id = ${id}`;

  graphqlClause("10.audit.origin", "another role's changes are by its own name", async () => {
    const { id } = await app.make.product();
    const me = await owner();
    let role = "";
    const { left } = await leftBy(app, async () => {
      role = await asStranger([
        rename("plain", id),
        `SET tea_shop.origin = '${forged}'`,
        rename("set", id),
        "RESET tea_shop.origin",
        `BEGIN; SET LOCAL tea_shop.origin = '${forged}'; ${rename("set local", id)}; COMMIT`,
        `SELECT set_config('tea_shop.origin', '${forged}', false)`,
        rename("set_config", id),
        // One that leaves no actor would leave no entry if it were believed.
        `SET tea_shop.origin = '{"door":"REST","operation":"placeOrder"}'`,
        rename("customer", id),
        "SET tea_shop.origin = 'no JSON'",
        rename("no JSON", id),
        `BEGIN; SET LOCAL tea_shop.audit = 'erasure'; ${rename("erasure", id)}; COMMIT`,
      ]);
    });
    const names = ["plain", "set", "set local", "set_config", "customer", "no JSON", "erasure"];
    expect(left.map(({ changes }) => changes[0]!.after)).toEqual(names);
    for (const entry of left) {
      expect(entry).toMatchObject({
        actor: role,
        door: "DATABASE",
        operation: "UPDATE",
        address: null,
      });
    }
    expect(role).not.toBe(me);
  });
});

graphqlClause("10.audit.kept", "entries are neither changed nor deleted", async () => {
  await app.make.category();
  const before = await entries(app);
  const update = "UPDATE audit_entries SET actor = 'nobody'";
  const remove = "DELETE FROM audit_entries";
  const truncate = "TRUNCATE audit_entries";
  const under = (purpose: string, statement: string) =>
    `BEGIN; SET LOCAL tea_shop.audit = '${purpose}'; ${statement}; COMMIT`;
  const tries = [
    ...[update, remove, truncate],
    ...[under("retention", update), under("erasure", remove), under("", remove)],
    ...[under("retention", truncate), under("erasure", truncate)],
  ];
  const refusal = "entries of the audit log are kept as they are";
  for (const statement of tries) {
    await expect(query(app.database.url, statement)).rejects.toThrow(refusal);
  }
  const permitted = [under("retention", remove), under("erasure", update)];
  for (const statement of [...tries, ...permitted]) {
    await expect(asStranger([statement])).rejects.toThrow(refusal);
  }
  expect(await entries(app)).toEqual(before);
});

test("what a transaction says of itself ends with it: SQL on the same connection is the DATABASE's", async () => {
  const pooler = await startTransactionPooler(app.database.url, { sessions: 1 });
  const served = await startReplica(app, {
    database: { url: pooler.url, poolSize: 1, namedStatements: false },
  });
  const beside = new Client({ connectionString: pooler.url });
  await beside.connect();
  const { id } = await app.make.order();
  const { left } = await leftBy(app, async () => {
    // One of these is a single statement, the other is a transaction of several.
    const body = JSON.stringify({ name: "Through the pool" });
    const headers = { authorization: app.asAdmin };
    expect((await sendJson(served.url, "POST", "/categories", body, headers)).status).toBe(201);
    await beside.query("UPDATE categories SET is_active = false WHERE name = 'Through the pool'");
    const document = `mutation { setOrderStatus(id: ${id}, status: PAID) { id } }`;
    await sendJson(served.url, "POST", "/graphql", JSON.stringify({ query: document }), headers);
    await beside.query(`UPDATE orders SET status = 'CANCELLED' WHERE id = ${id}`);
  });
  await beside.end();
  await served.close();
  expect(pooler.refused).toEqual([]);
  await pooler.close();
  const actor = await owner();
  expect(left).toMatchObject([
    { door: "REST", operation: "createCategory" },
    { door: "DATABASE", operation: "UPDATE", actor, address: null, requestId: null },
    { door: "GRAPHQL", operation: "setOrderStatus" },
    {
      door: "DATABASE",
      operation: "UPDATE",
      actor,
      changes: [change("status", "PAID", "CANCELLED")],
    },
  ]);
});
