import type { Client } from "pg";
import { catalogueColumns } from "../files/catalogue-lines";
import type { Row } from "../files/file-text";
import { decimalFields } from "../services/catalogue/import-export/entries";
import { exportProducts } from "../services/catalogue/import-export/export-catalogue";
import { ProductFilter } from "../services/catalogue/inputs/product-inputs";
import type { InputClass } from "../services/input/rules";
import {
  exportedColumns as subscriberColumns,
  exportSubscribers,
} from "../services/newsletter/export-subscribers";
import {
  exportedColumns as itemColumns,
  exportedDecimals,
  exportOrders,
  itemRows,
  orderOnlyColumns,
  type ExportedOrder,
} from "../services/orders/export-orders";
import { OrderFilter } from "../services/orders/inputs";

/** The entries of a list, a batch at a time. */
type Batches<Entry> = AsyncIterable<readonly Entry[]>;

/** A list that can be written to a file, by the code of the command line's export of it. */
export interface ListExport<Filter extends object = object, Entry extends object = object> {
  readonly subject: "ORDER" | "PRODUCT" | "NEWSLETTER_SUBSCRIBER";
  readonly Filter: InputClass<Filter>;
  /** The columns for programs. */
  readonly columns: readonly string[];
  readonly decimals: readonly string[];
  /** The columns for people, by their headings. */
  readonly headings: Readonly<Record<string, string>>;
  /** The words that people read instead of a value. */
  readonly words: Readonly<Record<string, string>>;
  read(
    client: Client,
    filter: Filter,
    write: (batches: Batches<Entry>) => Promise<void>,
  ): Promise<void>;
  /** The rows of an entry, if it has several; else the entry is the row. */
  readonly rowsOf?: (entry: Entry) => readonly Row[];
  /** The columns of a row that is an entry as a whole, if an entry has several rows. */
  readonly columnsOfWhole?: readonly string[];
}

export const orders: ListExport<OrderFilter, ExportedOrder> = {
  subject: "ORDER",
  Filter: OrderFilter,
  columns: itemColumns,
  decimals: exportedDecimals,
  headings: {
    orderId: "Order",
    createdAt: "Placed",
    status: "State",
    customerEmail: "Customer",
    totalAmount: "Total",
    productName: "Product",
    quantity: "Quantity",
    unitPrice: "Unit price",
  },
  words: { PENDING: "Waiting for payment", PAID: "Paid", CANCELLED: "Cancelled" },
  read: exportOrders,
  rowsOf: itemRows,
  columnsOfWhole: orderOnlyColumns,
};

const flags = { true: "Yes", false: "No" };

export const products: ListExport<ProductFilter> = {
  subject: "PRODUCT",
  Filter: ProductFilter,
  columns: catalogueColumns,
  decimals: decimalFields,
  headings: {
    name: "Name",
    category: "Category",
    price: "Price",
    isActive: "On sale",
    description: "Description",
    slug: "Address",
    createdAt: "Created",
  },
  words: flags,
  read: exportProducts,
};

export const subscribers: ListExport = {
  subject: "NEWSLETTER_SUBSCRIBER",
  Filter: Object, // no conditions
  columns: subscriberColumns,
  decimals: [],
  headings: { email: "E-mail", isActive: "Subscribed", createdAt: "Since" },
  words: flags,
  read: (client, _filter, write) => exportSubscribers(client, write),
};
