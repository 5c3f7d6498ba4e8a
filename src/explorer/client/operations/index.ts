import { categories, onCategories } from "./categories";
import { newsletter, onSubscribers } from "./newsletter";
import { onProducts } from "./on-products";
import { onOrders, orders, waitingForPayment } from "./orders";
import type { Group, Prepared } from "./prepared";
import { catalogue, products } from "./products";
import type { RowOperation } from "./row-operation";

/** What stands in the menu. Running an operation as it stands changes nothing. */
export const groups: readonly Group[] = [
  orders,
  products,
  categories,
  newsletter,
  { label: "Without signing in", operations: [catalogue] },
];

/** The operation of the menu with this document. */
export const menuEntryOf = (query: string): Prepared | undefined =>
  groups.flatMap(({ operations }) => operations).find((each) => each.query === query);

/** What can be done with a row, by type, what is done most often first. */
export const rowOperations: readonly RowOperation[] = [
  ...onOrders,
  ...onProducts,
  ...onCategories,
  ...onSubscribers,
];

/** What a visitor sees who has not signed in. */
export const firstOperation: Prepared = catalogue;

/** What an administrator sees who has just signed in. */
export const afterSignIn: Prepared = waitingForPayment;
