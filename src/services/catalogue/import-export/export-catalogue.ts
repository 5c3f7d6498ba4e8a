import type { Client } from "pg";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { inSnapshot, type Snapshot } from "../../../database/statements/snapshot";
import type { ProductFilter } from "../inputs/product-inputs";
import { productConditions } from "../product-query";
import { stored, type CatalogueEntry, type EntryType } from "./entries";

type Batches = AsyncIterable<readonly CatalogueEntry[]>;

/**
 * Calls `write` with all entries of the catalogue at one moment, a batch at a time: categories, and then products, each
 * kind in the order of its ids. An import creates them in this order, so entries that tie in a list keep their order.
 */
export const exportCatalogue = <T>(
  client: Client,
  write: (batches: Batches) => Promise<T>,
): Promise<T> => inSnapshot(client, async (snapshot) => write(catalogueIn(snapshot)));

async function* catalogueIn(snapshot: Snapshot): AsyncGenerator<CatalogueEntry[]> {
  yield* entriesIn(snapshot, "category", sql`true`);
  yield* entriesIn(snapshot, "product", sql`true`);
}

/** Calls `write` with the products that meet all conditions, as {@link exportCatalogue} does. */
export const exportProducts = <T>(
  client: Client,
  filter: ProductFilter,
  write: (batches: Batches) => Promise<T>,
): Promise<T> =>
  inSnapshot(client, async (snapshot) => {
    const { where, search = [] } = productConditions({ filter });
    const conditions = join([sql`true`, ...where, ...search], " AND ");
    const wanted = sql`id IN (SELECT id FROM products WHERE ${conditions})`;
    return write(entriesIn(snapshot, "product", wanted));
  });

async function* entriesIn(
  snapshot: Snapshot,
  type: EntryType,
  condition: Sql,
): AsyncGenerator<CatalogueEntry[]> {
  const batches = snapshot.exported<{ readonly id: number; readonly slug: string }>(
    sql`SELECT * FROM (${raw(stored[type])}) AS stored WHERE ${condition} ORDER BY id`,
  );
  for await (const rows of batches) yield rows.map(({ id: _, ...row }) => ({ type, ...row }));
}
