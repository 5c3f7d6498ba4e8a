/** What a customer is about to order. */
export interface Cart {
  /** The idempotency key. */
  readonly key: string;
  readonly customerEmail: string;
  readonly items: readonly CartItem[];
}

export interface CartItem {
  readonly productId: number;
  readonly quantity: number;
  /** The price that the customer sees, as the shop sent it: text with 2 decimals. */
  readonly price: string;
}

/**
 * A cart with a key of its own. Store the key with the cart, as in the browser's storage, so that a page that
 * is loaded again retries under the same key. A cart that changes is a new cart with a new key.
 */
export const newCart = (customerEmail: string, items: readonly CartItem[]): Cart => ({
  key: crypto.randomUUID(),
  customerEmail,
  items,
});

/** What the cart costs at the prices that the customer sees. It counts in cents, which are whole numbers. */
export function totalOf({ items }: Cart): string {
  const cents = items.map(({ price, quantity }) => Number(price.replace(".", "")) * quantity);
  const sum = cents.reduce((total, each) => total + each, 0);
  const digits = String(sum).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The cart as both doors take it. */
export const orderOf = ({ customerEmail, items }: Cart) => ({
  customerEmail,
  items: items.map(({ productId, quantity }) => ({ productId, quantity })),
});
