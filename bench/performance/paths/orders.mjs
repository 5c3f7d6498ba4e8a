const ITEMS = 3;
const ORDERS = 200;

/** Orders of three products each. Every run orders the same products. */
const requests = ({ products }) =>
  Array.from({ length: ORDERS }, (_, index) => ({
    method: "POST",
    path: "/orders",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      customerEmail: `customer.${index}@bench.example`,
      items: Array.from({ length: ITEMS }, (_item, place) => ({
        productId: products[(index * 7 + place * 31) % products.length],
        quantity: 1 + ((index + place) % 4),
      })),
    }),
  }));

/** An order without the values that differ from order to order; undefined if these values are wrong. */
function comparable({ id, createdAt, items, ...order }) {
  const isRight =
    id > 0 &&
    new Date(createdAt).toISOString() === createdAt &&
    items.every((item) => item.id > 0 && item.orderId === id);
  if (!isRight) return undefined;
  return { ...order, items: items.map((item) => ({ ...item, id: 0, orderId: 0 })) };
}

/** Placing orders of three items. */
export const orders = [
  {
    name: "orders",
    title: "POST /orders, 3 items",
    contenders: ["service", "floor", "sequelize"],
    requests,
    status: 201,
    comparable,
    targets: [],
  },
  {
    name: "keyed-orders",
    title: "POST /orders, 3 items, with a key",
    contenders: ["service", "floor"],
    requests,
    status: 201,
    freshKeys: true,
    comparable,
    targets: [{ of: "service", to: "floor", atLeast: 0.55 }],
  },
];
