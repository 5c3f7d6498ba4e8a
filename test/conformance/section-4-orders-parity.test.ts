import { clauseEach } from "../support/clause";
import { aTime, expectParity, startTwins, type ParityCase, type Twins } from "../parity/twins";

let twins: Twins;
beforeAll(async () => {
  twins = await startTwins();
});
afterAll(() => twins.close());

const run = (each: ParityCase) => expectParity(twins, each);
const operation = "placeOrder";
const caller = "nobody";
const customerEmail = "Customer@Example.com";

clauseEach<ParityCase>(
  "4.orders.5",
  "an order is stored and answered the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "items in the order in which they were sent, at current prices": async ({ make }) => {
      const cheap = await make.product({ price: "0.10" });
      const dear = await make.product({ price: "12.34" });
      const items = [
        { productId: dear.id, quantity: 2, unitPrice: "12.34" },
        { productId: cheap.id, quantity: 3, unitPrice: "0.10" },
      ];
      return {
        operation,
        caller,
        input: {
          body: {
            customerEmail,
            items: items.map(({ productId, quantity }) => ({ productId, quantity })),
          },
        },
        ok: {
          id: expect.any(Number),
          customerEmail,
          totalAmount: "24.98",
          status: "PENDING",
          createdAt: aTime,
          items: items.map((item) => ({
            id: expect.any(Number),
            orderId: expect.any(Number),
            ...item,
          })),
        },
        effect: {
          orders: {
            gone: [],
            come: [expect.objectContaining({ customer_email: customerEmail, status: "PENDING" })],
          },
          order_items: {
            gone: [],
            come: items.map(({ productId, quantity }) =>
              expect.objectContaining({ product_id: productId, quantity }),
            ),
          },
        },
      };
    },
  },
  run,
);

const refused =
  (customer: string, items: object[], messages: string[]): ParityCase =>
  () => ({
    operation,
    caller,
    input: { body: { customerEmail: customer, items } },
    refused: [400, messages],
  });
const item = { productId: 2_000_000_000, quantity: 1 };

clauseEach<ParityCase>(
  "4.orders.place",
  "an order that is not fit is refused with the same messages through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "no items": refused(customerEmail, [], ["items must contain at least 1 elements"]),
    "101 items": refused(
      customerEmail,
      Array.from({ length: 101 }, () => item),
      ["items must contain no more than 100 elements"],
    ),
    "a bad address": refused("nobody", [item], ["customerEmail must be an email"]),
    "an address with control characters": refused(
      '"Customer\u001b]0;\u0007"@example.com',
      [item],
      ["customerEmail must be an email"],
    ),
    "a quantity and an id below 1": refused(
      customerEmail,
      [item, { productId: 0, quantity: 0 }],
      ["items.1.productId must not be less than 1", "items.1.quantity must not be less than 1"],
    ),
    "a product twice": refused(
      customerEmail,
      [item, item],
      ["items.1.productId 2000000000 occurs more than once"],
    ),
    "everything at once, products not looked at": refused(
      "",
      [
        { productId: 7, quantity: -1 },
        { productId: 7, quantity: 1 },
      ],
      [
        "customerEmail must be an email",
        "items.0.quantity must not be less than 1",
        "items.1.productId 7 occurs more than once",
      ],
    ),
    "an unknown product": refused(
      customerEmail,
      [item],
      ["items.0.productId 2000000000 does not reference an active product"],
    ),
    "an inactive and an unknown product beside a good one": async ({ make }) => {
      const good = await make.product();
      const off = await make.product({ is_active: false });
      return {
        operation,
        caller,
        input: {
          body: {
            customerEmail,
            items: [good.id, off.id, item.productId].map((productId) => ({
              productId,
              quantity: 1,
            })),
          },
        },
        refused: [
          400,
          [
            `items.1.productId ${off.id} does not reference an active product`,
            "items.2.productId 2000000000 does not reference an active product",
          ],
        ],
      };
    },
    "more than can be paid": async ({ make }) => {
      const { id: productId } = await make.product({ price: "99999999.99" });
      return {
        operation,
        caller,
        input: { body: { customerEmail, items: [{ productId, quantity: 2 }] } },
        refused: [400, ["totalAmount must not exceed 99999999.99"]],
      };
    },
  },
  run,
);

/** Three orders of a customer's own, newest first. */
async function ordersOf({ make }: (typeof twins)["REST"], customer_email: string) {
  const days = ["2024-01-01", "2024-01-02", "2024-01-02"];
  const statuses = ["PAID", "PENDING", "CANCELLED"] as const;
  const made = [];
  for (const [index, status] of statuses.entries()) {
    const created_at = `${days[index]}T00:00:00.000Z`;
    const { id } = await make.order({ customer_email, status, created_at, total_amount: "1.50" });
    made.unshift({
      id,
      customerEmail: customer_email,
      totalAmount: "1.50",
      status,
      createdAt: created_at,
    });
  }
  return made;
}

const meta = (total: number, page: number, pageSize: number) => ({
  total,
  page,
  pageSize,
  totalPages: Math.ceil(total / pageSize),
});

clauseEach<ParityCase>(
  "4.order-list",
  "orders are listed and filtered the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "of a customer, letter case ignored": async (app) => {
      const data = await ordersOf(app, "One@example.com");
      return {
        operation: "listOrders",
        input: { query: { customerEmail: "oNE@example.COM" } },
        ok: { data, meta: meta(3, 1, 10) },
      };
    },
    "of a customer and a status": async (app) => {
      const [cancelled] = await ordersOf(app, "two@example.com");
      return {
        operation: "listOrders",
        input: { query: { customerEmail: "two@example.com", status: "CANCELLED" } },
        ok: { data: [cancelled], meta: meta(1, 1, 10) },
      };
    },
    "a page of a customer's": async (app) => {
      const data = await ordersOf(app, "three@example.com");
      return {
        operation: "listOrders",
        input: { query: { customerEmail: "three@example.com", page: 2, pageSize: 2 } },
        ok: { data: data.slice(2), meta: meta(3, 2, 2) },
      };
    },
    "a part of an address is no address": async (app) => {
      await ordersOf(app, "four@example.com");
      return {
        operation: "listOrders",
        input: { query: { customerEmail: "our@example.com" } },
        ok: { data: [], meta: meta(0, 1, 10) },
      };
    },
    "an empty address": () => ({
      operation: "listOrders",
      input: { query: { customerEmail: "" } },
      refused: [400, ["customerEmail should not be empty"]],
    }),
    "the page is judged before the filter": () => ({
      operation: "listOrders",
      input: { query: { customerEmail: "", pageSize: 51 } },
      refused: [400, "Page size must be between 1 and 50"],
    }),
  },
  run,
);
