import type { CategoryRecord } from "../services/catalogue/categories";
import { categoryColumns, productColumns } from "../services/catalogue/columns";
import {
  orderColumns,
  orderItemColumns,
  type OrderItemRecord,
  type OrderRecord,
  type PlacedOrder,
} from "../services/orders/order-records";
import type { Page } from "../lists/pagination";
import type { ProductRecord } from "../services/catalogue/products";
import { restColumns, type Columns, type RestColumns, type Shown } from "../vocabulary/columns";

/** A record as REST shows it: the columns that it has at REST, and no others (contract 2). */
type Presented<Row, List> = {
  [Name in keyof RestColumns<List> & keyof Row]: Shown<Row[Name]>;
};

/** The function that shows a record with these columns. Times are ISO 8601 in UTC. */
function presenter<Row extends object, List extends Columns<Row>>(
  columns: List,
): (row: Row) => Presented<Row, List> {
  const names = Object.keys(restColumns(columns));
  return (row) => {
    const shown: Record<string, unknown> = {};
    for (const name of names) {
      const value = (row as Readonly<Record<string, unknown>>)[name];
      shown[name] = value instanceof Date ? value.toISOString() : value;
    }
    return shown as Presented<Row, List>;
  };
}

export const presentAccessToken = (token: string) => ({ access_token: token });

export const presentCategory = presenter<CategoryRecord, typeof categoryColumns>(categoryColumns);

export const presentProduct = presenter<ProductRecord, typeof productColumns>(productColumns);

export const presentOrder = presenter<OrderRecord, typeof orderColumns>(orderColumns);

const presentOrderItem = presenter<OrderItemRecord, typeof orderItemColumns>(orderItemColumns);

/** The answer to placing an order. A replay repeats the first answer, so the status is always PENDING. */
export const presentPlacedOrder = ({ order, items }: PlacedOrder) =>
  Object.assign(presentOrder(order), { status: "PENDING", items: items.map(presentOrderItem) });

export const presentPage = <T, U>({ data, meta }: Page<T>, present: (entry: T) => U) => ({
  data: data.map(present),
  meta: {
    total: meta.total,
    page: meta.page,
    pageSize: meta.pageSize,
    totalPages: meta.totalPages,
  },
});
