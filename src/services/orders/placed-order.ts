import type { InferAttributes } from "sequelize";
import type { Order, OrderItem } from "../../models";

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
