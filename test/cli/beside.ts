import type { Client } from "pg";
import { besideLock } from "../support/locks";
import { HEADER } from "./catalogue-files";

/** A file of a category and as many products, which are called p1, p2, …. */
export const products = (count: number, price: string): string =>
  [
    HEADER,
    "category,green,Green,true,,,,",
    ...Array.from({ length: count }, (_, index) => `product,p${index + 1},P,true,,green,${price},`),
    "",
  ].join("\n");

/** Calls `meanwhile` with another session in a transaction, which it may end; it is rolled back at last. */
export const besideTransaction = <T>(
  url: string,
  meanwhile: (other: Client) => Promise<T>,
): Promise<T> =>
  besideLock({ database: { url } }, "SET LOCAL idle_in_transaction_session_timeout = 0", meanwhile);
