import { PlaceOrderInput } from "../../services/orders/inputs/place-order-input";
import type { ShopOperation } from "../operation";
import { ORDER_FILTER, ORDER_TERMS, PAGE } from "../parameters";

const tag = "Orders";

export const orderOperations: readonly ShopOperation[] = [
  {
    id: "placeOrder",
    tag,
    summary: "Place an order",
    description:
      "The service computes the total from the current prices. Every request counts against a limit for " +
      "each address, valid or not.",
    parameters: ORDER_TERMS,
    body: {
      Input: PlaceOrderInput,
      example: { customerEmail: "ada@example.com", items: [{ productId: 7, quantity: 2 }] },
    },
    answer: {
      status: 201,
      description: "The order, with its items in the order in which they were sent.",
      shape: "PlacedOrder",
      headers: ["Idempotent-Replayed"],
    },
    headers: ["No-Store"],
    refusals: {
      400: [
        ["items.0.quantity must not be less than 1"],
        ["items.0.productId 42 does not reference an active product"],
        ["totalAmount must not exceed 99999999.99"],
      ],
      409: ["totalAmount is 25.00, not 24.99"],
      422: [],
    },
  },
  {
    id: "orders",
    tag,
    summary: "List orders",
    description: "Newest first, in pages, without their items.",
    parameters: [...PAGE, ...ORDER_FILTER],
    answer: { status: 200, description: "A page of orders.", shape: "OrderPage" },
    headers: ["No-Store"],
    refusals: {
      400: [
        "Page must be greater than or equal to 1",
        "Page size must be between 1 and 50",
        ["status must be one of the following values: PENDING, PAID, CANCELLED"],
      ],
    },
  },
];
