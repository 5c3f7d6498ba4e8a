import { orderOf, totalOf, type Cart } from "../cart";
import { retry, type RetryOptions } from "../retry";
import { dataOf, type Schemas, type Shop } from "./client";

/**
 * Places the order of a cart once, however often it has to be sent.
 *
 * @throws ShopError with status 409 where the total is no longer what the customer saw, and 400 where the order
 * is not valid; ConnectionError if no attempt was answered, after which the same cart may be sent again
 */
export const placeOrder = (
  shop: Shop,
  cart: Cart,
  options?: RetryOptions,
): Promise<Schemas["PlacedOrder"]> => {
  const header = { "Idempotency-Key": cart.key, "Expected-Total": totalOf(cart) };
  const send = () => dataOf(shop.POST("/orders", { params: { header }, body: orderOf(cart) }));
  return retry(send, options);
};
