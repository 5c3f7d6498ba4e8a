import { readFileSync } from "node:fs";
import pg from "pg";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const words = Object.fromEntries(
  Object.entries(JSON.parse(read("bulk-words.json"))).map(([kind, all]) => [kind, all.split("|")]),
);
const demoCategories = read("../../src/demo/catalogue.jsonl")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  .filter(({ type }) => type === "category");

/** Rows in one statement. */
const BATCH_SIZE = 20_000;

/**
 * Adds generated products, and orders of 1 to 3 items, each batch in its own transaction. The rows depend only on slug
 * numbers and ids, so databases with the same history get the same data. At the end, VACUUM updates the statistics
 * and the visibility map.
 */
export async function addBulk(databaseUrl, { products = 0, orders = 0 }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const latest = new Date();
  const inBatches = async (total, insert) => {
    for (let first = 1; first <= total; first += BATCH_SIZE) {
      await insert({ first, last: Math.min(first + BATCH_SIZE - 1, total), total, latest });
    }
  };
  try {
    // A crash may lose the last batch, but never a part of a batch.
    await client.query("SET synchronous_commit = off; SET statement_timeout = 0");
    // A pseudorandom number from 0 to size - 1 that depends only on n and the salt.
    await client.query(
      `CREATE FUNCTION pg_temp.pick(n bigint, salt bigint, size bigint) RETURNS bigint
       LANGUAGE sql IMMUTABLE
       RETURN (hashint8extended(n, salt) & 9223372036854775807) % size`,
    );
    if (products > 0) {
      const firstNumber = await prepareProducts(client);
      await inBatches(products, (batch) => insertProducts(client, batch, firstNumber));
    }
    if (orders > 0) {
      const stock = await prepareOrders(client);
      // Without triggers, which make it many times slower; then what they would have stored for lists.
      await client.query("SET session_replication_role = replica");
      await inBatches(orders, (batch) => insertOrders(client, batch, stock));
      await client.query("SET session_replication_role = origin");
      await client.query("SELECT recount_orders(), add_missing_addresses()");
    }
    await client.query("VACUUM (ANALYZE)");
  } finally {
    await client.end();
  }
}

/** The period over which generated rows are spread, in milliseconds: two years. */
const SPAN = 2 * 365 * 86_400_000;

/**
 * SQL for the time at which the row of `slot` was created. The parameter $3 is the number of slots, $4 the time of
 * the last one. Each slot has its own part of the period, so that no two rows have the same millisecond; `number`
 * determines the time within that part.
 */
const createdAt = (number) =>
  `$4::timestamptz - interval '1 millisecond'
     * (($3::bigint - slot) * (${SPAN} / $3::bigint) + pg_temp.pick(${number}, 11, ${SPAN} / $3::bigint))`;

/**
 * Creates the categories of the demonstration if there are none. Returns the number for the next slug: one more
 * than the greatest number at the end of a product's slug.
 */
async function prepareProducts(client) {
  await client.query(
    `INSERT INTO categories (name, slug)
       SELECT * FROM unnest($1::text[], $2::text[]) WHERE NOT EXISTS (SELECT FROM categories)`,
    [demoCategories.map(({ name }) => name), demoCategories.map(({ slug }) => slug)],
  );
  const { rows } = await client.query(
    `SELECT coalesce(max(substring(slug FROM '-([0-9]{1,9})$')::integer), 0) + 1 AS number
     FROM products`,
  );
  return rows[0].number;
}

/**
 * Inserts a batch of products. Their names combine so many words that a search finds only a few of many products.
 * The numbers at the end of their slugs count from `firstNumber`.
 */
async function insertProducts(client, batch, firstNumber) {
  const { moods, origins, kinds, forms, notes, closings } = words;
  await client.query(
    `WITH category AS MATERIALIZED (SELECT array_agg(id ORDER BY id) AS ids FROM categories),
     words AS (
       SELECT slot, n,
         ($6::text[])[1 + pg_temp.pick(n, 1, array_length($6::text[], 1))] AS mood,
         ($7::text[])[1 + pg_temp.pick(n, 2, array_length($7::text[], 1))] AS origin,
         ($8::text[])[1 + pg_temp.pick(n, 3, array_length($8::text[], 1))] AS kind,
         ($9::text[])[1 + pg_temp.pick(n, 4, array_length($9::text[], 1))] AS form,
         ($10::text[])[1 + pg_temp.pick(n, 5, array_length($10::text[], 1))] AS note,
         ($10::text[])[1 + pg_temp.pick(n, 6, array_length($10::text[], 1))] AS other_note,
         ($11::text[])[1 + pg_temp.pick(n, 7, array_length($11::text[], 1))] AS closing
       FROM (
         SELECT slot, slot - 1 + $5::bigint AS n FROM generate_series($1::bigint, $2) AS slot
       ) AS numbered
     )
     INSERT INTO products
       (name, slug, description, price, is_active, category_id, created_at, updated_at)
     SELECT concat_ws(' ', mood, origin, kind, form),
       concat_ws('-', lower(translate(concat_ws('-', mood, kind), ' ', '-')), n),
       concat(kind, ' from ', origin, ' with notes of ', note,
         CASE WHEN other_note <> note THEN ' and ' || other_note END, '. ', closing),
       (350 + pg_temp.pick(n, 8, 11650)) / 100.0,
       pg_temp.pick(n, 9, 20) > 0,
       ids[1 + pg_temp.pick(n, 10, array_length(ids, 1))],
       created_at, created_at
     FROM words, category, LATERAL (SELECT ${createdAt("n")} AS created_at) AS times
     ORDER BY slot`,
    [
      ...[batch.first, batch.last, batch.total, batch.latest, firstNumber],
      ...[moods, origins, kinds, forms, notes, closings],
    ],
  );
}

/** The average number of orders of a customer. */
const ORDERS_EACH = 5;

/** Numbers the products that can be ordered, in a temporary table, and returns their number. */
async function prepareOrders(client) {
  // With more expensive products, the total of an order could exceed the limit.
  await client.query(
    `CREATE TEMPORARY TABLE stock AS
     SELECT row_number() OVER (ORDER BY id) - 1 AS position, id, price, name, slug
     FROM products WHERE is_active AND price <= 8000000`,
  );
  await client.query("ALTER TABLE stock ADD PRIMARY KEY (position)");
  await client.query("ANALYZE stock");
  const { rows } = await client.query("SELECT count(*)::integer AS size FROM stock");
  return rows[0].size;
}

/** Inserts a batch of orders and their items, from a stock of `size` products. */
async function insertOrders(client, batch, size) {
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
      ...[words.firstNames, words.lastNames],
    ],
  );
}
