import type { Client } from "pg";
import sql, { join } from "sql-template-tag";
import { inSnapshot, type Snapshot } from "../../database/statements/snapshot";
import { selection } from "../../database/statements/columns";
import type { Column, Exported } from "../../vocabulary/columns";
import type { OrderFilter } from "./inputs";
import { orderConditions } from "./order-query";
import {
  bought,
  orderColumns,
  orderItemColumns,
  type OrderItemRecord,
  type OrderRecord,
} from "./order-records";

/** The columns of an order in a file, in their order, by attribute. */
const orderNames = {
  id: "orderId",
  status: "status",
  customerEmail: "customerEmail",
  createdAt: "createdAt",
  totalAmount: "totalAmount",
} as const satisfies Readonly<Record<Exclude<keyof typeof orderColumns, "version">, string>>;

/** The columns of what was bought, in their order. */
const boughtNames = {
  productSlug: "product",
  productName: "productName",
} as const satisfies Readonly<Record<keyof typeof bought, string>>;

/** The other columns of an item, in their order. */
const itemNames = {
  quantity: "quantity",
  unitPrice: "unitPrice",
} as const satisfies Readonly<
  Record<
    Exclude<keyof typeof orderItemColumns, "id" | "orderId" | "productId" | keyof typeof bought>,
    string
  >
>;

/** An order in a file. */
export interface ExportedOrder extends Exported<OrderRecord, typeof orderNames> {
  readonly items: readonly ExportedItem[];
}

/** An item in a file. Its price, and its product's slug and name, are those at the time of the order. */
type ExportedItem = Exported<OrderItemRecord, typeof boughtNames & typeof itemNames>;

/** The columns of a row that has an order. */
export const orderOnlyColumns: readonly string[] = Object.values(orderNames);

/** A row for each item; an order without items has one row, too. */
export function itemRows({ items, ...order }: ExportedOrder) {
  return items.length === 0 ? [order] : items.map((item) => ({ ...order, ...item }));
}

/** The columns of a row that has an item and its order. */
export const exportedColumns: readonly string[] = [
  ...orderOnlyColumns,
  ...Object.values(boughtNames),
  ...Object.values(itemNames),
];

const decimalsOf = (
  columns: Readonly<Record<string, Column>>,
  names: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(names).flatMap(([attribute, name]) =>
    columns[attribute]?.holds === "decimal" ? name : [],
  );

/** The exported columns that are decimals. */
export const exportedDecimals: readonly string[] = [
  ...decimalsOf(orderColumns, orderNames),
  ...decimalsOf(orderItemColumns, itemNames),
];

/** Orders at one moment. */
export interface OrderExport {
  /** The number of all orders. */
  readonly total: number;
  /** The orders, a batch at a time, in the order of their ids. */
  readonly batches: AsyncIterable<readonly ExportedOrder[]>;
}

/** Calls `write` with the orders that meet all conditions. Changes go on meanwhile and are not seen. */
export const exportOrders = <T>(
  client: Client,
  filter: OrderFilter,
  write: (orders: OrderExport) => Promise<T>,
): Promise<T> => inSnapshot(client, async (snapshot) => write(await ordersIn(snapshot, filter)));

/** The orders of a snapshot that meet all conditions. */
export async function ordersIn(snapshot: Snapshot, filter: OrderFilter): Promise<OrderExport> {
  const { where: conditions, indexed = [] } = orderConditions(filter);
  const where = join([sql`true`, ...conditions, ...indexed], " AND ");
  const [row] = await snapshot.rows<{ total: number }>(
    sql`SELECT count(*)::integer AS total FROM orders WHERE ${where}`,
  );
  const rows = snapshot.batches<OrderRow>(
    sql`SELECT ${selection(orderNames)} FROM orders WHERE ${where} ORDER BY orders.id`,
  );
  return { total: row?.total ?? 0, batches: withItems(snapshot, rows) };
}

type OrderRow = Omit<ExportedOrder, "items" | "createdAt"> & { readonly createdAt: Date };

async function* withItems(
  snapshot: Snapshot,
  batches: AsyncIterable<readonly OrderRow[]>,
): AsyncGenerator<ExportedOrder[]> {
  for await (const rows of batches) {
    const items = await itemsOf(snapshot, rows);
    yield rows.map((order) => ({
      ...order,
      createdAt: order.createdAt.toISOString(),
      items: items.get(order.orderId) ?? [],
    }));
  }
}

async function itemsOf(
  snapshot: Snapshot,
  orders: readonly OrderRow[],
): Promise<Map<number, ExportedItem[]>> {
  const items = await snapshot.rows<ExportedItem & { readonly orderId: number }>(
    sql`SELECT order_id AS "orderId", ${bought.productSlug} AS product,
          ${bought.productName} AS "productName", ${selection(itemNames)}
        FROM order_items WHERE order_id = ANY(${orders.map(({ orderId }) => orderId)}) ORDER BY order_items.id`,
  );
  const byOrder = new Map<number, ExportedItem[]>();
  for (const { orderId, ...item } of items) {
    const others = byOrder.get(orderId);
    if (others) others.push(item);
    else byOrder.set(orderId, [item]);
  }
  return byOrder;
}
