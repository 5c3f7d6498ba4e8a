import type { Client } from "pg";
import { conflict } from "../vocabulary/errors";
import type { Batch } from "./bulk";
import { createdAt } from "./created-at";
import { firstNames, lastNames } from "./people";

/** The average number of orders of a customer. */
const ORDERS_EACH = 5;

/** Numbers the products that can be ordered, in a temporary table, and returns their number. */
export async function prepareOrders(client: Client): Promise<number> {
  // With more expensive products, the total of an order could exceed the limit.
  await client.query(
    `CREATE TEMPORARY TABLE stock AS
     SELECT row_number() OVER (ORDER BY id) - 1 AS position, id, price, name, slug
     FROM products WHERE is_active AND price <= 8000000`,
  );
  await client.query("ALTER TABLE stock ADD PRIMARY KEY (position)");
  await client.query("ANALYZE stock");
  const { rows } = await client.query<{ size: number }>(
    "SELECT count(*)::integer AS size FROM stock",
  );
  const size = rows[0]?.size ?? 0;
  if (size === 0)
    throw conflict("There is no active product that could be ordered", { code: "NOT_FOUND" });
  return size;
}

/** Inserts a batch of orders and their items, from a stock of `size` products. */
export async function insertOrders(client: Client, batch: Batch, size: number): Promise<void> {
  // The products of an order, at most 3, are one stride apart. Twice the greatest stride is less than the size,
  // so no product occurs twice.
  const strides = Math.max(1, Math.floor((size - 1) / 2));
  const customers = Math.ceil(batch.total / ORDERS_EACH);
  await client.query(
    `WITH draft AS MATERIALIZED (
       SELECT slot, id, pg_temp.pick(id, 1, $5) AS start, 1 + pg_temp.pick(id, 2, $6) AS stride,
         least(1 + pg_temp.pick(id, 3, 3), $5) AS item_count,
         pg_temp.pick(id, 4, $7) AS customer
       FROM (
         SELECT slot, nextval(pg_get_serial_sequence('orders', 'id')) AS id
         FROM generate_series($1::bigint, $2) AS slot
       ) AS numbered
     ),
     item AS MATERIALIZED (
       SELECT draft.id AS order_id, place, stock.id AS product_id, price, name, slug,
         1 + pg_temp.pick(draft.id, 20 + place, 4) AS quantity
       FROM draft CROSS JOIN generate_series(0, item_count - 1) AS place
       JOIN stock ON position = (start + place * stride) % $5
     ),
     inserted AS (
       INSERT INTO orders (id, customer_email, total_amount, status, created_at)
       SELECT id,
         concat(
           ($8::text[])[1 + pg_temp.pick(customer, 5, array_length($8::text[], 1))], '.',
           ($9::text[])[1 + pg_temp.pick(customer, 6, array_length($9::text[], 1))], '.', customer,
           '@example.', (ARRAY['com', 'org', 'net'])[1 + pg_temp.pick(customer, 7, 3)]
         ),
         total,
         (ARRAY['PENDING', 'PENDING', 'PAID', 'PAID', 'PAID', 'PAID', 'PAID', 'PAID', 'PAID',
           'CANCELLED'])[1 + pg_temp.pick(id, 8, 10)]::order_status,
         ${createdAt("id")}
       FROM draft
       JOIN (SELECT order_id, sum(quantity * price) AS total FROM item GROUP BY order_id) AS totals
         ON order_id = id
       ORDER BY slot
     )
     INSERT INTO order_items (order_id, product_id, quantity, unit_price, product_name, product_slug)
     SELECT order_id, product_id, quantity, price, name, slug FROM item ORDER BY order_id, place`,
    [
      ...[batch.first, batch.last, batch.total, batch.latest, size, strides, customers],
      ...[firstNames, lastNames],
    ],
  );
}
