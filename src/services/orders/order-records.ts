import type { InferAttributes } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import { OrderItem, type Order } from "../../models";
import type { Columns } from "../../vocabulary/columns";

/** An order as lists show it, without its items. */
export type OrderRecord = InferAttributes<Order>;

/** One item of an order. */
export type OrderItemRecord = InferAttributes<OrderItem>;

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

/** The items of these orders. Within an order, they are sorted as they were sent. */
export const itemsOf = (
  database: Sequelize,
  orderIds: readonly number[],
): Promise<OrderItemRecord[]> =>
  database
    .getRepository(OrderItem)
    .findAll({ where: { orderId: [...orderIds] }, order: ["id"], raw: true });
