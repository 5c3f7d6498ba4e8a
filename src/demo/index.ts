import { readFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "pg";
import { conflict } from "../vocabulary/errors";
import { inClientTransaction, withClient } from "../database/connection/with-client";
import { demoCustomers, draftOrders, Random, type StockItem } from "./demo-orders";

const DAY = 86_400_000;
const SUBSCRIBERS = 25;

/** Ages of the oldest and of the youngest product, in days. */
const [OLDEST, YOUNGEST] = [300, 4];

/**
 * Stores the demonstration in a migrated database, in one transaction: a handwritten catalogue, and 200 orders and 25
 * newsletter subscribers of the past months. It is the same each time, except for the times, which are relative to now.
 *
 * @throws DomainError CONFLICT if the catalogue is not empty
 */
export const seedDemo = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, (client) =>
    inClientTransaction(client, async () => {
      const now = Date.now();
      const random = new Random(2024);
      await assertEmptyCatalogue(client);
      await insertCategories(client, now);
      const stock = await insertProducts(client, now, random);
      await insertOrders(client, stock, now, random);
      await insertSubscribers(client, now, random);
    }),
  );

async function assertEmptyCatalogue(client: Client): Promise<void> {
  // If two processes start at the same time, the second one waits, and then finds the catalogue of the first.
  await client.query("LOCK TABLE categories, products IN SHARE ROW EXCLUSIVE MODE");
  const { rows } = await client.query<{ empty: boolean }>(
    "SELECT NOT EXISTS (SELECT FROM categories) AND NOT EXISTS (SELECT FROM products) AS empty",
  );
  if (rows[0]?.empty !== true) {
    throw conflict("The catalogue is not empty: the demonstration needs an empty one", {
      code: "IN_USE",
    });
  }
}

async function insertCategories(client: Client, now: number): Promise<void> {
  const rows = demoEntries("category").map((category, index) => ({
    ...category,
    createdAt: new Date(now - (OLDEST + 10) * DAY + index * 7 * 60_000),
  }));
  await client.query(
    `INSERT INTO categories (name, slug, is_active, created_at)
     SELECT name, slug, "isActive", "createdAt"
     FROM jsonb_to_recordset($1) AS row (name text, slug text, "isActive" boolean, "createdAt" timestamptz)`,
    [JSON.stringify(rows)],
  );
}

/** Returns the products that can be ordered. */
async function insertProducts(client: Client, now: number, random: Random): Promise<StockItem[]> {
  const rows = random.shuffled(demoEntries("product")).map((product, index, { length }) => {
    const age = OLDEST - ((OLDEST - YOUNGEST) * index) / (length - 1);
    return { ...product, createdAt: new Date(now - Math.round(age * DAY) - random.below(DAY)) };
  });
  const stored = await client.query<StockItem & { isActive: boolean }>(
    `INSERT INTO products
       (name, slug, description, price, is_active, category_id, created_at, updated_at)
     SELECT row.name, row.slug, description, price, "isActive", categories.id, "createdAt", "createdAt"
     FROM jsonb_to_recordset($1) AS row (
       name text, slug text, description text, price numeric, "isActive" boolean, category text,
       "createdAt" timestamptz
     )
     JOIN categories ON categories.slug = category
     ORDER BY "createdAt"
     RETURNING id, price, is_active AS "isActive", created_at AS "createdAt"`,
    [JSON.stringify(rows)],
  );
  return stored.rows.filter((product) => product.isActive).sort((one, other) => one.id - other.id);
}

async function insertOrders(
  client: Client,
  stock: readonly StockItem[],
  now: number,
  random: Random,
): Promise<void> {
  const drafts = draftOrders(stock, now, random);
  const { rows: ids } = await client.query<{ id: number }>(
    `SELECT nextval(pg_get_serial_sequence('orders', 'id'))::integer AS id
     FROM generate_series(1, $1)`,
    [drafts.length],
  );
  const orders = drafts.map((draft, index) => ({ ...draft, id: ids[index]?.id }));
  await client.query(
    `INSERT INTO orders (id, customer_email, total_amount, status, created_at)
     SELECT id, "customerEmail", "totalAmount", status, "createdAt"
     FROM jsonb_to_recordset($1) AS row (
       id integer, "customerEmail" text, "totalAmount" numeric, status order_status,
       "createdAt" timestamptz
     )`,
    [JSON.stringify(orders)],
  );
  await client.query(
    `INSERT INTO order_items (order_id, product_id, quantity, unit_price)
     SELECT "orderId", "productId", quantity, "unitPrice"
     FROM jsonb_to_recordset($1) AS row (
       "orderId" integer, "productId" integer, quantity integer, "unitPrice" numeric
     )`,
    [JSON.stringify(orders.flatMap(({ id, items }) => items.map((i) => ({ ...i, orderId: id }))))],
  );
}

async function insertSubscribers(client: Client, now: number, random: Random): Promise<void> {
  const emails = random.shuffled(demoCustomers).slice(0, SUBSCRIBERS);
  const rows = emails.map((email, index) => ({
    email,
    isActive: index % 8 !== 5,
    createdAt: new Date(now - (SUBSCRIBERS - index) * 9 * DAY - random.below(DAY)),
  }));
  await client.query(
    `INSERT INTO newsletter_subscribers (email, is_active, created_at)
     SELECT email, "isActive", "createdAt"
     FROM jsonb_to_recordset($1) AS row (email text, "isActive" boolean, "createdAt" timestamptz)
     ON CONFLICT (lower(email)) DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

/** The entries of the handwritten catalogue, a file as `catalogue import` takes it: 60 products in 8 categories. */
const demoEntries = (type: "category" | "product"): object[] =>
  readFileSync(path.join(__dirname, "catalogue.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type: string })
    .filter((entry) => entry.type === type);
