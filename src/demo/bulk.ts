import type { Client } from "pg";
import { inClientTransaction } from "../database/with-client";
import { prepareOrders, insertOrders } from "./bulk-orders";
import { prepareProducts, insertProducts } from "./bulk-products";

/** How much is generated. */
export interface BulkOptions {
  /** Products to add. */
  readonly products?: number;
  /** Orders to add, of 1 to 3 items each. */
  readonly orders?: number;
  /** Told after each batch how many of all are stored. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A run of generated things: which of how many, and when the latest of them was created. */
export interface Batch {
  /** Counts from 1. */
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly latest: Date;
}

/** Rows in one statement: long enough to be fast, short enough to show progress. */
const BATCH_SIZE = 20_000;

/**
 * Adds generated products and orders to what is there, each batch in a transaction of its own. What is
 * made depends on slug numbers and ids alone, hence is the same in databases with the same past.
 * Statistics and visibility are brought up to date at the end.
 *
 * @throws DomainError CONFLICT where orders are asked for, but there is no active product
 */
export async function addBulk(
  client: Client,
  { products = 0, orders = 0, onProgress = () => undefined }: BulkOptions,
): Promise<void> {
  const latest = new Date();
  let done = 0;
  const inBatches = async (total: number, insert: (batch: Batch) => Promise<void>) => {
    for (let first = 1; first <= total; first += BATCH_SIZE) {
      const last = Math.min(first + BATCH_SIZE - 1, total);
      await inClientTransaction(client, () => insert({ first, last, total, latest }));
      done += last - first + 1;
      onProgress(done, products + orders);
    }
  };

  // A crash may lose the last batch as a whole, for which nobody waits.
  await client.query("SET synchronous_commit = off; SET statement_timeout = 0");
  // A number below `size` that depends on `n` alone, another one for each salt.
  await client.query(
    `CREATE FUNCTION pg_temp.pick(n bigint, salt bigint, size bigint) RETURNS bigint
     LANGUAGE sql IMMUTABLE
     RETURN (hashint8extended(n, salt) & 9223372036854775807) % size`,
  );
  if (products > 0) {
    const firstNumber = await prepareProducts(client);
    await inBatches(products, (batch) => insertProducts(client, batch, firstNumber));
  }
  if (orders > 0) {
    const stock = await prepareOrders(client);
    await inBatches(orders, (batch) => insertOrders(client, batch, stock));
  }
  await client.query("VACUUM (ANALYZE) categories, products, orders, order_items");
}
