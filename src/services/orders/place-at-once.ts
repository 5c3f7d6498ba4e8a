import type { Repository, Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import { columnsOf } from "../../database/statements/model-table";
import { origin, runSql } from "../../database/statements/sql";
import { OrderItem } from "../../models";
import { Money } from "../../vocabulary/money";
import { isStorableId } from "../../vocabulary/ids";
import type { IdempotencyKeys } from "./idempotency-keys";
import { isDeletedProduct } from "./order-items";
import type { OrderItemRecord, OrderRequest, PlacedOrder } from "./order-records";

/** An item of the order, and the total of the order. */
type StoredItem = OrderItemRecord & { readonly totalAmount: string };

const newOrder = sql`new_order AS (SELECT nextval('orders_id_seq') AS id FROM accepted)`;

/**
 * Places an order in one statement, which is a transaction of its own, unless something prevents the order. The
 * statement computes the total, as `totalOf` in `pricing.ts` does for an order that is placed in steps. Prices are
 * read without locks, for the reason that is given there.
 */
export class PlaceAtOnce {
  private readonly items: Repository<OrderItem>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly keys: IdempotencyKeys,
  ) {
    this.items = sequelize.getRepository(OrderItem);
  }

  /**
   * Stores the order with its items and its key, all of them or nothing. If it stores nothing, the result
   * is undefined: a product is not on sale, the total is too large or not the expected one, or the key was
   * used before, even if it has expired.
   *
   * @throws an error of the database; after some of them a repetition may succeed
   */
  async place(order: OrderRequest): Promise<PlacedOrder | undefined> {
    if (!order.items.every(({ productId }) => isStorableId(productId))) return undefined;
    const createdAt = new Date();
    try {
      const stored = await runSql<StoredItem>(this.sequelize, this.statement(order, createdAt), {
        name: order.keyed ? "place order, keyed" : "place order",
      });
      return placed(order, stored, createdAt);
    } catch (error) {
      if (isDeletedProduct(error)) return undefined;
      throw error;
    }
  }

  /**
   * Each part needs the rows of the parts before it, so either all of them store something or none. The lists
   * of items are subqueries, to hide their lengths from the planner. Otherwise it would plan each order anew,
   * at twice the cost of the order itself. `LIMIT` has each product read by its id: of a thousand products, a join
   * would read all.
   */
  private statement(
    { customerEmail, items, expectedTotal, keyed }: OrderRequest,
    createdAt: Date,
  ): Sql {
    return sql`
      WITH asked AS (
        SELECT * FROM unnest(
          (SELECT ${items.map(({ productId }) => productId)}::integer[]),
          (SELECT ${items.map(({ quantity }) => quantity)}::integer[])
        ) WITH ORDINALITY AS asked (product_id, quantity, place)
      ), priced AS (
        SELECT product_id, quantity, place, price, name, slug
        FROM asked CROSS JOIN LATERAL (
          SELECT price, name, slug FROM products WHERE id = product_id AND is_active LIMIT 1
        ) AS product
      ), accepted AS (
        SELECT total FROM (SELECT count(*) AS found, sum(price * quantity) AS total FROM priced) AS sums
        WHERE found = ${items.length} AND total <= ${Money.MAX.toString()}::numeric
          AND total = coalesce(${expectedTotal?.toString()}::numeric, total)
      ), ${keyed ? this.keys.withNewOrder(keyed) : newOrder}, placed AS (
        INSERT INTO orders (id, customer_email, total_amount, status, created_at)
        SELECT id, ${customerEmail}, total, 'PENDING', ${createdAt} FROM new_order, accepted, ${origin()}
        RETURNING id, total_amount
      ), stored AS (
        INSERT INTO order_items (order_id, product_id, quantity, unit_price, product_name, product_slug)
        SELECT id, product_id, quantity, price, name, slug FROM placed, priced ORDER BY place
        RETURNING *
      )
      SELECT ${columnsOf(this.items)}, (SELECT total_amount FROM placed) AS "totalAmount"
      FROM stored ORDER BY id`;
  }
}

function placed(
  { customerEmail }: OrderRequest,
  stored: readonly StoredItem[],
  createdAt: Date,
): PlacedOrder | undefined {
  const [first] = stored;
  if (!first) return undefined;
  const { orderId: id, totalAmount } = first;
  return {
    order: { id, customerEmail, totalAmount, status: "PENDING", createdAt, version: 1 },
    items: stored.map(({ totalAmount: _, ...item }) => item),
    replayed: false,
  };
}
