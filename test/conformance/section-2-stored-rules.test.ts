import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { everythingStored } from "../support/stored";

// The rules of section 2 hold in the database itself, whoever writes to it.

const app = useApp();

/** Expects the database to refuse a statement, for one of its constraints, and nothing to change. */
async function expectRefused(statement: () => Promise<unknown>, constraint: string): Promise<void> {
  const before = await everythingStored(app);
  await expect(statement()).rejects.toMatchObject({ constraint });
  expect(await everythingStored(app)).toEqual(before);
}

/** An order of one product. */
async function orderOfOne() {
  const product = await app.make.product();
  const order = await app.make.order();
  const item = await app.make.orderItem({ order_id: order.id, product_id: product.id });
  return { product, order, item };
}

clause("2.order-item", "items are deleted when their order is deleted", async () => {
  const { product, order, item } = await orderOfOne();
  const other = await app.make.order();
  const kept = await app.make.orderItem({ order_id: other.id, product_id: product.id });
  await app.sql("DELETE FROM orders WHERE id = $1", [order.id]);
  expect(
    await app.sql("SELECT id FROM order_items WHERE id = ANY($1)", [[item.id, kept.id]]),
  ).toEqual([{ id: kept.id }]);
});

clause("2.order-item", "a product that orders refer to can't be deleted", async () => {
  const { product } = await orderOfOne();
  await expectRefused(
    () => app.sql("DELETE FROM products WHERE id = $1", [product.id]),
    "order_items_product_id_fkey",
  );
});

clauseEach<[column: string, constraint: string]>(
  "2.order-item",
  "an item belongs to an order and a product that exist",
  {
    "no order": ["order_id", "order_items_order_id_fkey"],
    "no product": ["product_id", "order_items_product_id_fkey"],
  },
  async ([column, constraint]) => {
    const { item } = await orderOfOne();
    await expectRefused(
      () => app.sql(`UPDATE order_items SET ${column} = 2147483647 WHERE id = $1`, [item.id]),
      constraint,
    );
  },
);

clause("2.order-item", "a product occurs at most once per order", async () => {
  const { order, product } = await orderOfOne();
  await expectRefused(
    () => app.make.orderItem({ order_id: order.id, product_id: product.id }),
    "order_items_order_id_product_id_key",
  );
});

clauseEach("2.order-item", "a quantity is at least 1", { "0": 0, "-1": -1 }, async (quantity) => {
  const { order } = await orderOfOne();
  const { id: product_id } = await app.make.product();
  await expectRefused(
    () => app.make.orderItem({ order_id: order.id, product_id, quantity }),
    "order_items_quantity_positive",
  );
});

clause("2.category", "a category that has products can't be deleted", async () => {
  const { category_id } = await app.make.product();
  await expectRefused(
    () => app.sql("DELETE FROM categories WHERE id = $1", [category_id]),
    "products_category_id_fkey",
  );
});

clause("2.product", "categoryId references an existing category", async () => {
  await expectRefused(
    () => app.make.product({ category_id: 2_147_483_647 }),
    "products_category_id_fkey",
  );
});

clause("2.product", "the slug is unique", async () => {
  const { slug, category_id } = await app.make.product();
  await expectRefused(() => app.make.product({ slug, category_id }), "products_slug_key");
});

clause("2.category", "the slug is unique, among categories alone", async () => {
  const { slug } = await app.make.category();
  await expectRefused(() => app.make.category({ slug }), "categories_slug_key");
  expect(await app.make.product({ slug })).toMatchObject({ slug });
});

clauseEach(
  "2.slug",
  "slugs are URL-friendly",
  {
    empty: "",
    capitals: "Green",
    "a space": "green tea",
    "an underscore": "green_tea",
    "a hyphen first": "-green",
    "a hyphen last": "green-",
    "two hyphens": "green--tea",
    "an accent": "thé",
    "a line feed last": "green\n",
    "121 characters": "a".repeat(121),
  },
  async (slug) => {
    await expectRefused(() => app.make.category({ slug }), "categories_slug_format");
    const { id: category_id } = await app.make.category();
    await expectRefused(() => app.make.product({ slug, category_id }), "products_slug_format");
  },
);

clauseEach<[constraint: string, write: (amount: string) => Promise<unknown>]>(
  "2.decimals",
  "amounts in the database are 0 or more, and never NaN",
  {
    price: ["products_price_range", (price) => app.sql("UPDATE products SET price = $1", [price])],
    totalAmount: ["orders_total_amount_range", (total_amount) => app.make.order({ total_amount })],
    unitPrice: [
      "order_items_unit_price_range",
      (unit_price) => app.sql("UPDATE order_items SET unit_price = $1", [unit_price]),
    ],
  },
  async ([constraint, write]) => {
    await orderOfOne();
    for (const amount of ["-0.01", "NaN"]) {
      await expectRefused(() => write(amount), constraint);
    }
  },
);

clauseEach<(amount: string) => Promise<unknown>>(
  "2.decimals",
  "amounts in the database have up to 10 digits",
  {
    price: (price) => app.make.product({ price }),
    totalAmount: (total_amount) => app.make.order({ total_amount }),
    unitPrice: (unit_price) => app.sql("UPDATE order_items SET unit_price = $1", [unit_price]),
  },
  async (write) => {
    await orderOfOne();
    await expect(write("100000000.00")).rejects.toMatchObject({ code: "22003" });
    await expect(write("99999999.99")).resolves.toBeDefined();
  },
);

clause(
  "2.order",
  "the status is one of PENDING, PAID and CANCELLED, PENDING by default",
  async () => {
    const { id } = await app.make.order();
    const set = (status: string) =>
      app.sql("UPDATE orders SET status = $1 WHERE id = $2 RETURNING status", [status, id]);
    expect(await app.sql("SELECT status FROM orders WHERE id = $1", [id])).toEqual([
      { status: "PENDING" },
    ]);
    for (const status of ["PAID", "CANCELLED", "PENDING"]) {
      expect(await set(status)).toEqual([{ status }]);
    }
    for (const status of ["SHIPPED", "paid", ""]) {
      await expect(set(status)).rejects.toMatchObject({ code: "22P02" });
    }
  },
);

clauseEach<[constraint: string, make: (email: string) => Promise<unknown>]>(
  "2.e-mails",
  "e-mail addresses of accounts and subscribers are unique, letter case ignored",
  {
    admins: ["admins_email_key", (email) => app.make.admin({ email })],
    subscribers: ["newsletter_subscribers_email_key", (email) => app.make.subscriber({ email })],
  },
  async ([constraint, make]) => {
    await make("Unique@example.com");
    await expectRefused(() => make("Unique@example.com"), constraint);
    await expectRefused(() => make("uNIQUE@EXAMPLE.com"), constraint);
    await make("unique2@example.com");
  },
);

clause("2.admin", "an account is active and its role ADMIN by default", async () => {
  const { id } = await app.make.admin();
  expect(await app.sql("SELECT is_active, role FROM admins WHERE id = $1", [id])).toEqual([
    { is_active: true, role: "ADMIN" },
  ]);
});

clause("2.newsletter-subscriber", "a subscriber is active by default, with createdAt", async () => {
  const { id } = await app.make.subscriber();
  expect(
    await app.sql("SELECT is_active, created_at FROM newsletter_subscribers WHERE id = $1", [id]),
  ).toEqual([{ is_active: true, created_at: expect.any(Date) }]);
});

clause("2.defaults", "the database fills in the documented defaults by itself", async () => {
  const [category] = await app.sql<{ id: number; is_active: boolean }>(
    "INSERT INTO categories (name, slug) VALUES ('Bare', 'bare') RETURNING id, is_active",
  );
  expect(category).toMatchObject({ is_active: true });
  expect(
    await app.sql(
      `INSERT INTO products (name, slug, price, category_id) VALUES ('Bare', 'bare', 1, $1)
       RETURNING is_active, description`,
      [category!.id],
    ),
  ).toEqual([{ is_active: false, description: "" }]);
});
