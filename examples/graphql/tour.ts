import { newCart } from "../cart";
import { ShopError } from "../shop-error";
import type { Credentials, Session } from "../session";
import { ordersIn, signIn } from "./administrator";
import { scrollProducts, searchProducts } from "./catalogue";
import { createGraphqlClient } from "./client";
import { placeOrder } from "./order";
import { showOrder } from "./placed-orders";
import { sentencesOf } from "./sentences";

/** Does what a shop's page and its administrators do, and says what came of it. */
export async function tour(
  url: string,
  credentials: Credentials | undefined,
  say: (line: string) => void,
): Promise<void> {
  const session: Session = {};
  const client = createGraphqlClient(url, { session });

  const cheapestFirst = { sort: { field: "PRICE", direction: "ASC" } } as const;
  for await (const part of scrollProducts(client, cheapestFirst)) {
    say(`${part.length} products from ${part[0]?.price} on`);
  }

  const { data, meta } = await searchProducts(client, "tea");
  const [found] = data;
  if (!found) throw new Error("Nothing is found: the tour needs a product with the word tea");
  say(`Found ${meta.total}, among them ${found.name} for ${found.price}`);

  const item = { productId: found.id, price: found.price };
  const order = await placeOrder(client, newCart("ada@example.com", [{ ...item, quantity: 2 }]));
  say(`Order ${order.id} costs ${order.totalAmount}`);
  const shown = await showOrder(client, order.lookup);
  say(`Its lookup shows ${shown?.items.map(({ productName }) => productName).join(", ")}`);

  try {
    await placeOrder(client, newCart("ada", [{ ...item, quantity: 0 }]));
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    for (const sentence of sentencesOf(error, () => found.name)) say(`Refused: ${sentence}`);
  }

  if (!credentials) return;
  await signIn(client, session, credentials);
  const [newest] = await ordersIn(client, "PENDING");
  say(`The newest pending order is ${newest?.id}`);
}
