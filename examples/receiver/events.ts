/** What the shop says of a change. */
export interface ShopEvent<Data extends Subject = Subject> {
  /** The same on every try, and where an administrator sends the event again. */
  readonly id: string;
  /** Such as `order.placed`. Later releases may send types that are not known today: ignore them. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Data;
}

/** What was changed, as it was after the change. A test event has none: `version` is 0, and there is no `id`. */
export interface Subject {
  readonly id?: number;
  readonly version?: number;
  /** Names of the fields that an update has changed. */
  readonly changed?: readonly string[];
}

export interface Order extends Subject {
  readonly id: number;
  readonly customerEmail: string;
  readonly totalAmount: string;
  readonly status: string;
  readonly createdAt: string;
  readonly version: number;
  readonly items: readonly OrderItem[];
  /** Shows the order to whoever has it. For endpoints with `includeLookup` alone. */
  readonly lookup?: string;
}

export interface Subscription extends Subject {
  readonly id: number;
  readonly email: string;
  readonly isActive: boolean;
  /** Ends it, at any time. */
  readonly unsubscribeToken: string;
  /** Confirms it, for seven days. There is none if it does not wait for that. */
  readonly confirmToken?: string;
}

export interface OrderItem {
  readonly id: number;
  readonly orderId: number;
  readonly productId: number;
  readonly quantity: number;
  readonly unitPrice: string;
  readonly productName: string;
  readonly productSlug: string;
}

/**
 * Does what an event asks for, and throws if it can't. The answer waits for it, and the shop waits 15 seconds for
 * the answer: give what takes longer to a `Backlog`.
 */
export type Handler = (event: ShopEvent) => Promise<void> | void;

export const isOrderPlaced = (event: ShopEvent): event is ShopEvent<Order> =>
  event.type === "order.placed";
