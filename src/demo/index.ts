import { withClient } from "../database/connection/with-client";
import { addBulk, type BulkOptions } from "./bulk";
import { addDemo } from "./demo-shop";

/**
 * Fills a migrated database. Without `products` and `orders` it stores the demonstration in one
 * transaction: a handwritten catalogue, and 200 orders and 25 newsletter subscribers of the past months,
 * the same each time. With either option, it adds as many generated products and orders in batches.
 *
 * @throws DomainError CONFLICT if the demonstration finds a catalogue, or no product can be ordered
 */
export async function seedDemo(databaseUrl: string, options: BulkOptions = {}): Promise<void> {
  const isBulk = options.products !== undefined || options.orders !== undefined;
  await withClient(databaseUrl, (client) => (isBulk ? addBulk(client, options) : addDemo(client)));
}
