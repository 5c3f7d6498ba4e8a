import type { Columns } from "../../vocabulary/columns";
import type { OrderItemRecord, OrderRecord } from "./order-records";

/** The columns of an order. Answers of REST and files take theirs from here. */
export const orderColumns = {
  id: { holds: "integer", rest: true },
  customerEmail: { holds: "text", rest: true },
  totalAmount: { holds: "decimal", rest: true },
  status: { holds: "text", rest: true },
  createdAt: { holds: "time", rest: true },
  version: { holds: "integer", rest: false },
} as const satisfies Columns<OrderRecord>;

/** The columns of an item of an order. Answers of REST and files take theirs from here. */
export const orderItemColumns = {
  id: { holds: "integer", rest: true },
  orderId: { holds: "integer", rest: true },
  productId: { holds: "integer", rest: true },
  quantity: { holds: "integer", rest: true },
  unitPrice: { holds: "decimal", rest: true },
  productName: { holds: "text", rest: false },
  productSlug: { holds: "text", rest: false },
} as const satisfies Columns<OrderItemRecord>;
