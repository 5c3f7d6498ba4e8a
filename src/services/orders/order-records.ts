import type { InferAttributes } from "sequelize";
import sql, { join } from "sql-template-tag";
import type { Readable } from "../../database/connection/read-pool";
import { selection } from "../../database/statements/columns";
import { runSql } from "../../database/statements/sql";
import type { Order, OrderItem } from "../../models";
import type { Columns } from "../../vocabulary/columns";

/** An order as lists show it, without its items. */
export type OrderRecord = InferAttributes<Order>;

/** What an item was called when it was bought. */
interface Bought {
  readonly productName: string;
  readonly productSlug: string;
}

/** One item of an order. */
export type OrderItemRecord = Omit<InferAttributes<OrderItem>, keyof Bought> & Bought;

/** An order with its items, in the order in which they were sent. */
export interface PlacedOrder {
  readonly order: OrderRecord;
  readonly items: OrderItemRecord[];
  /** Whether it was placed before, under the same idempotency key. */
  readonly replayed: boolean;
}

/** The columns of an order. Answers of REST and files take theirs from here. */
export const orderColumns = {
  id: { holds: "integer", rest: true },
  customerEmail: { holds: "text", rest: true },
  totalAmount: { holds: "decimal", rest: true },
  status: { holds: "text", rest: true },
  createdAt: { holds: "time", rest: true },
  version: { holds: "integer", rest: false },
} as const satisfies Columns<OrderRecord>;

/** The columns of an item of an order. Answers of REST and files take theirs from here. */
export const orderItemColumns = {
  id: { holds: "integer", rest: true },
  orderId: { holds: "integer", rest: true },
  productId: { holds: "integer", rest: true },
  quantity: { holds: "integer", rest: true },
  unitPrice: { holds: "decimal", rest: true },
  productName: { holds: "text", rest: false },
  productSlug: { holds: "text", rest: false },
} as const satisfies Columns<OrderItemRecord>;

/** What was bought, for a SELECT from `order_items`. An item that has no name of that day yet shows today's. */
export const bought = {
  productName: sql`coalesce(product_name,
    (SELECT name FROM products WHERE products.id = order_items.product_id))`,
  productSlug: sql`coalesce(product_slug,
    (SELECT slug FROM products WHERE products.id = order_items.product_id))`,
} as const;

const { productName: _name, productSlug: _slug, ...others } = orderItemColumns;

/** All columns of an item, named like its attributes. */
const itemSelection = join([
  selection(Object.fromEntries(Object.keys(others).map((name) => [name, name]))),
  sql`${bought.productName} AS "productName"`,
  sql`${bought.productSlug} AS "productSlug"`,
]);

/** The items of these orders. Within an order, they are sorted as they were sent. */
export const itemsOf = (
  database: Readable,
  orderIds: readonly number[],
): Promise<OrderItemRecord[]> =>
  runSql<OrderItemRecord>(
    database,
    sql`SELECT ${itemSelection} FROM order_items WHERE order_id = ANY(${orderIds}) ORDER BY id`,
    { name: "items of orders" },
  );
