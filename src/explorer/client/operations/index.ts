import { categories, onCategories } from "./categories";
import { newsletter, onSubscribers } from "./newsletter";
import { onProducts } from "./on-products";
import { onOrders, orders, waitingForPayment } from "./orders";
import type { Group, Prepared } from "./prepared";
import { catalogue, products } from "./products";
import { record } from "./record";
import type { RowOperation } from "./row-operation";
import { onWebhooks, webhooks } from "./webhooks";

/** The menu. No operation in it changes anything if it is run with its first variables. */
export const groups: readonly Group[] = [
  orders,
  products,
  categories,
  newsletter,
  webhooks,
  record,
  { label: "Without signing in", operations: [catalogue] },
];

/** The operation of the menu with this document. */
export const menuEntryOf = (query: string): Prepared | undefined =>
  groups.flatMap(({ operations }) => operations).find((each) => each.query === query);

/** Whether this is the document of a prepared operation, as it was written. */
export const isPrepared = (query: string): boolean =>
  menuEntryOf(query) !== undefined || rowOperations.some((each) => each.query === query);

/** The operations on rows, grouped by type; those of a type with the most frequent one first. */
export const rowOperations: readonly RowOperation[] = [
  ...onOrders,
  ...onProducts,
  ...onCategories,
  ...onSubscribers,
  ...onWebhooks,
];

/** The operation that visitors see before they sign in. */
export const firstOperation: Prepared = catalogue;

/** The operation that an administrator sees after signing in. */
export const afterSignIn: Prepared = waitingForPayment;
