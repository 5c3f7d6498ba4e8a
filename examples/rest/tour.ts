import { newCart } from "../cart";
import { ShopError } from "../shop-error";
import type { Credentials, Session } from "../session";
import { ordersIn, signIn } from "./administrator";
import { findProducts, productPages } from "./catalogue";
import { createShop } from "./client";
import { placeOrder } from "./order";

/** Does what a shop's page and its administrators do, and says what came of it. */
export async function tour(
  url: string,
  credentials: Credentials | undefined,
  say: (line: string) => void,
): Promise<void> {
  const session: Session = {};
  const shop = createShop(url, { session });

  for await (const page of productPages(shop)) say(`A page of ${page.length} products`);

  const [found] = await findProducts(shop, "tea");
  if (!found) throw new Error("Nothing is found: the tour needs a product with the word tea");
  say(`Found ${found.name} for ${found.price}`);

  const item = { productId: found.id, price: found.price };
  const order = await placeOrder(shop, newCart("ada@example.com", [{ ...item, quantity: 2 }]));
  say(`Order ${order.id} costs ${order.totalAmount}`);

  try {
    await placeOrder(shop, newCart("ada", [{ ...item, quantity: 0 }]));
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    for (const [field, messages] of error.byField) say(`Refused, ${field}: ${messages.join(", ")}`);
  }

  if (!credentials) return;
  await signIn(shop, session, credentials);
  const [newest] = await ordersIn(shop, "PENDING");
  say(`The newest pending order is ${newest?.id}`);
}
