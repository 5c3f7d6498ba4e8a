import { withClient } from "../database/with-client";
import { addBulk, type BulkOptions } from "./bulk";
import { addDemo } from "./demo-shop";

/** What is seeded: the demonstration without any number, generated data with one. */
export type SeedOptions = BulkOptions;

/**
 * Fills a migrated database. Without `products` and `orders`: a catalogue written by hand, some 200
 * orders and 25 newsletter subscribers of the past months, alike each time, in one transaction and only
 * into an empty catalogue. With either of them: as many generated ones, added to what is there, a batch
 * at a time.
 *
 * @throws DomainError CONFLICT where the catalogue is not empty, or nothing can be ordered
 */
export async function seedDemo(databaseUrl: string, options: SeedOptions = {}): Promise<void> {
  const isBulk = options.products !== undefined || options.orders !== undefined;
  await withClient(databaseUrl, (client) => (isBulk ? addBulk(client, options) : addDemo(client)));
}
