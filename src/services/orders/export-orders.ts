import type { Client } from "pg";
import sql, { join } from "sql-template-tag";
import { inSnapshot, type Snapshot } from "../../database/statements/snapshot";
import type { OrderFilter } from "./inputs";
import { orderConditions } from "./order-query";

/** The columns of a row that has an order. */
export const orderOnlyColumns: readonly string[] = [
  ...["orderId", "status", "customerEmail", "createdAt", "totalAmount"],
];

/** The columns of a row that has an item and its order. */
export const exportedColumns: readonly string[] = [
  ...orderOnlyColumns,
  ...["product", "productName", "quantity", "unitPrice"],
];

export const exportedDecimals: readonly string[] = ["totalAmount", "unitPrice"];

/** An order in a file. Prices and times are texts. */
export interface ExportedOrder {
  readonly orderId: number;
  readonly status: string;
  readonly customerEmail: string;
  readonly createdAt: string;
  readonly totalAmount: string;
  readonly items: readonly {
    /** The slug, the name and the price are those at the time of the order. */
    readonly product: string;
    readonly productName: string;
    readonly quantity: number;
    readonly unitPrice: string;
  }[];
}

/** A row for each item; an order without items has one row, too. */
export function itemRows({ items, ...order }: ExportedOrder) {
  return items.length === 0 ? [order] : items.map((item) => ({ ...order, ...item }));
}

type Batches = AsyncIterable<readonly ExportedOrder[]>;

/**
 * Calls `write` with the orders that meet all conditions at one moment, a batch at a time, in the order of their ids.
 */
export const exportOrders = <T>(
  client: Client,
  filter: OrderFilter,
  write: (batches: Batches) => Promise<T>,
): Promise<T> => inSnapshot(client, (snapshot) => write(ordersIn(snapshot, filter)));

/** The orders of a snapshot that meet all conditions. Handwritten: a model's method reads no snapshot in batches. */
export function ordersIn(snapshot: Snapshot, filter: OrderFilter): Batches {
  const { where, indexed = [] } = orderConditions(filter);
  return snapshot.exported<ExportedOrder>(
    sql`SELECT id AS "orderId", status, customer_email AS "customerEmail", created_at AS "createdAt",
          total_amount AS "totalAmount", ARRAY(
            SELECT json_build_object('product', product_slug, 'productName', product_name,
              'quantity', quantity, 'unitPrice', unit_price::text)
            FROM order_items WHERE order_id = orders.id ORDER BY order_items.id
          ) AS items
        FROM orders WHERE ${join([sql`true`, ...where, ...indexed], " AND ")} ORDER BY id`,
  );
}
