import type { InferAttributes } from "sequelize";
import type { Order, OrderItem } from "../../models";
import type { Money } from "../../vocabulary/money";
import type { KeyedRequest } from "./idempotency-keys";
import type { OrderItemInput } from "./inputs/place-order-input";

/** An order as lists show it, without its items. */
export type OrderRecord = InferAttributes<Order>;

/** What an item was called when it was bought. */
interface Bought {
  readonly productName: string;
  readonly productSlug: string;
}

/** One item of an order. */
export type OrderItemRecord = Omit<InferAttributes<OrderItem>, keyof Bought> & Bought;

/** An order that is to be placed, and the terms on which it was sent. */
export interface OrderRequest {
  readonly customerEmail: string;
  readonly items: readonly Readonly<OrderItemInput>[];
  /** The total that the customer agreed to. */
  readonly expectedTotal: Money | undefined;
  /** The idempotency key, if the order has one. */
  readonly keyed: KeyedRequest | undefined;
}

/** An order with its items, in the order in which they were sent. */
export interface PlacedOrder {
  readonly order: OrderRecord;
  readonly items: OrderItemRecord[];
  /** Whether it was placed before, under the same idempotency key. */
  readonly replayed: boolean;
}
