import type { InferAttributes } from "sequelize";
import type { Order, OrderItem } from "../../models";

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
