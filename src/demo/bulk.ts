import type { Client } from "pg";
import { refreshListCounts } from "../lists/counts/list-changes";
import { inClientTransaction } from "../database/connection/with-client";
import { prepareOrders, insertOrders } from "./bulk-orders";
import { prepareProducts, insertProducts } from "./bulk-products";

export interface BulkOptions {
  /** Products to add. */
  readonly products?: number;
  /** Orders to add, of 1 to 3 items each. */
  readonly orders?: number;
  /** Called after each batch with the number of rows stored so far, and the number of all rows. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A batch of generated products or orders, which are numbered from 1 to `total`. */
export interface Batch {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  /** The creation time of the last of all rows. */
  readonly latest: Date;
}

/** Rows in one statement: enough to be fast, and few enough to show progress. */
const BATCH_SIZE = 20_000;

/**
 * Adds generated products and orders, each batch in its own transaction, and updates the stored counts of their
 * lists. The rows depend only on slug numbers and ids, so databases with the same history get the same data. At
 * the end, VACUUM updates the statistics and the visibility map.
 *
 * @throws DomainError CONFLICT if orders are wanted but there is no active product
 */
export async function addBulk(
  client: Client,
  { products = 0, orders = 0, onProgress = () => undefined }: BulkOptions,
): Promise<void> {
  const latest = new Date();
  let done = 0;
  const inBatches = async (
    table: string,
    total: number,
    insert: (batch: Batch) => Promise<void>,
  ) => {
    for (let first = 1; first <= total; first += BATCH_SIZE) {
      const last = Math.min(first + BATCH_SIZE - 1, total);
      await inClientTransaction(client, () => insert({ first, last, total, latest }));
      await refreshListCounts(client, table);
      done += last - first + 1;
      onProgress(done, products + orders);
    }
  };

  // A crash may lose the last batch, but never a part of a batch.
  await client.query("SET synchronous_commit = off; SET statement_timeout = 0");
  // A pseudorandom number from 0 to size - 1 that depends only on n and the salt.
  await client.query(
    `CREATE FUNCTION pg_temp.pick(n bigint, salt bigint, size bigint) RETURNS bigint
     LANGUAGE sql IMMUTABLE
     RETURN (hashint8extended(n, salt) & 9223372036854775807) % size`,
  );
  if (products > 0) {
    const firstNumber = await prepareProducts(client);
    await inBatches("products", products, (batch) => insertProducts(client, batch, firstNumber));
  }
  if (orders > 0) {
    const stock = await prepareOrders(client);
    await inBatches("orders", orders, (batch) => insertOrders(client, batch, stock));
  }
  await client.query(
    "VACUUM (ANALYZE) categories, products, product_prices, orders, order_items, list_changes, list_segments",
  );
}
