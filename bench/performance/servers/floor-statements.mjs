// What one would write by hand: one statement per request, which returns the finished JSON.

const time = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const PRODUCT = `p.id, p.name, p.slug, p.description, p.price::text AS price, p.is_active AS "isActive",
  p.category_id AS "categoryId", ${time("p.created_at")} AS "createdAt", ${time("p.updated_at")} AS "updatedAt"`;

const CATEGORY = `c.id, c.name, c.slug, c.is_active AS "isActive", ${time("c.created_at")} AS "createdAt"`;

const objects = `string_agg(row_to_json(shown)::text, ',')`;

const META = `'"meta":{"total":', total, ',"page":', $2::int, ',"pageSize":', $1::int,
  ',"totalPages":', (total + $1::int - 1) / $1::int, '}'`;

const COUNTED = `(SELECT count(*)::int AS total FROM products) AS counted`;

const NEWEST = `ORDER BY created_at DESC, id DESC`;
const PAGE = `${NEWEST} LIMIT $1::int OFFSET ($2::int - 1) * $1::int`;

/** A page and its total; only the rows of the page are formatted. Values: the size, the page. */
export const products = `
  SELECT concat('{"data":[', (
    SELECT ${objects} FROM (SELECT * FROM products ${PAGE}) AS p
    CROSS JOIN LATERAL (SELECT ${PRODUCT}) AS shown), '],', ${META}, '}')
  FROM ${COUNTED}`;

/** One product; no row if there is none. Values: the id. */
export const product = `
  SELECT row_to_json(shown)::text
  FROM products AS p CROSS JOIN LATERAL (SELECT ${PRODUCT}) AS shown WHERE p.id = $1::int`;

export const categories = `
  SELECT concat('[', ${objects}, ']')
  FROM (SELECT * FROM categories ORDER BY lower(name), id) AS c
  CROSS JOIN LATERAL (SELECT ${CATEGORY}) AS shown`;

/** All products of a category; no row if there is no such category. Values: the id. */
export const productsOfCategory = `
  SELECT concat('[', (
    SELECT ${objects} FROM (SELECT * FROM products WHERE category_id = $1::int ${NEWEST}) AS p
    CROSS JOIN LATERAL (SELECT ${PRODUCT}) AS shown), ']')
  FROM categories WHERE id = $1::int`;

/** The answer to the one GraphQL query. Values: the size, the page. */
export const graphql = `
  SELECT concat('{"data":{"products":{"data":[', (
    SELECT ${objects} FROM (SELECT * FROM products ${PAGE}) AS p JOIN categories AS c ON c.id = p.category_id
    CROSS JOIN LATERAL (SELECT c.id, c.name, c.slug) AS category
    CROSS JOIN LATERAL (SELECT ${PRODUCT}, category) AS shown), '],', ${META}, '}}}')
  FROM ${COUNTED}`;

const keep = (withKey) =>
  withKey
    ? `, kept AS (
         INSERT INTO idempotency_keys (key, fingerprint, order_id) SELECT $4, $5, id FROM placed)`
    : "";

/**
 * Places an order, if all its products exist and are active, and returns it. The products' rows are
 * locked meanwhile. Values: the address, the products, the quantities and, with a key, the key and
 * the fingerprint of the request.
 */
export const order = (withKey) => `
  WITH priced AS MATERIALIZED (
    SELECT asked.*, p.price, p.name, p.slug
    FROM unnest($2::int[], $3::int[]) WITH ORDINALITY AS asked (product_id, quantity, place)
    JOIN products AS p ON p.id = asked.product_id AND p.is_active
    ORDER BY p.id FOR SHARE OF p),
  placed AS (
    INSERT INTO orders (customer_email, total_amount)
    SELECT $1, sum(price * quantity) FROM priced HAVING count(*) = cardinality($2::int[])
    RETURNING *)${keep(withKey)},
  items AS (
    INSERT INTO order_items (order_id, product_id, quantity, unit_price, product_name, product_slug)
    SELECT placed.id, product_id, quantity, price, name, slug FROM priced CROSS JOIN placed ORDER BY place
    RETURNING *)
  SELECT row_to_json(shown)::text
  FROM placed AS o CROSS JOIN LATERAL (
    SELECT o.id, o.customer_email AS "customerEmail", o.total_amount::text AS "totalAmount", o.status,
      ${time("o.created_at")} AS "createdAt",
      (SELECT concat('[', string_agg(row_to_json(item)::text, ',' ORDER BY item.id), ']')::json FROM (
        SELECT id, order_id AS "orderId", product_id AS "productId", quantity, unit_price::text AS "unitPrice"
        FROM items) AS item) AS items
  ) AS shown`;
