import { prepareShop } from "../shop.mjs";
import { REGULAR } from "./pages.mjs";

const REGULAR_ORDERS = 50_000;

/** A shop with many products and orders, in which one customer has placed 50,000 orders. */
export async function prepareLargeShop(postgres, { products, orders }) {
  return prepareShop(postgres, {
    name: "large_shop",
    products,
    orders,
    finish: (sql) => finish(sql, orders),
  });
}

async function finish(sql, orders) {
  const step = Math.max(1, Math.floor(orders / REGULAR_ORDERS));
  await sql("UPDATE orders SET customer_email = $1 WHERE id % $2 = 0", [REGULAR, step]);
  await sql("VACUUM (ANALYZE) orders");
}
