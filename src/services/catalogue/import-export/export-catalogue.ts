import type { Client } from "pg";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { inSnapshot, type Snapshot } from "../../../database/statements/snapshot";
import type { ProductFilter } from "../inputs/product-inputs";
import { productConditions } from "../product-query";
import {
  entryTables,
  type CatalogueEntry,
  type CategoryEntry,
  type EntryTable,
  type ProductEntry,
} from "./entry-tables";

/** The whole catalogue at one moment. */
export interface CatalogueExport {
  /** The number of all entries. */
  readonly total: number;
  /**
   * The entries, a batch at a time: categories, and then products, each kind in the order of its ids. An
   * import creates them in this order, so entries that tie in a list of the shop keep their order.
   */
  readonly batches: AsyncIterable<readonly CatalogueEntry[]>;
}

/** Calls `write` with the catalogue. Changes go on meanwhile and are not seen. */
export const exportCatalogue = <T>(
  client: Client,
  write: (catalogue: CatalogueExport) => Promise<T>,
): Promise<T> =>
  inSnapshot(client, async (snapshot) =>
    write({ total: await count(snapshot), batches: entries(snapshot) }),
  );

/** The products that meet all conditions, at one moment, a batch at a time, in the order of their ids. */
export const exportProducts = <T>(
  client: Client,
  filter: ProductFilter,
  write: (batches: AsyncIterable<readonly ProductEntry[]>) => Promise<T>,
): Promise<T> =>
  inSnapshot(client, async (snapshot) => {
    const { where, search = [] } = productConditions({ filter });
    const condition = join([sql`true`, ...where, ...search], " AND ");
    const { fields, joins } = entryTables.product;
    const columns = raw(fields.map(({ name, stored }) => `${stored} AS "${name}"`).join());
    const rows = snapshot.batches<Row<ProductEntry>>(
      sql`SELECT ${columns} FROM (SELECT * FROM products WHERE ${condition}) AS products ${raw(joins)}
          ORDER BY products.id`,
    );
    return write(productEntries(rows));
  });

async function* productEntries(
  batches: AsyncIterable<readonly Row<ProductEntry>[]>,
): AsyncGenerator<ProductEntry[]> {
  for await (const rows of batches) yield rows.map((row) => entryOf("product", row));
}

async function count(snapshot: Snapshot): Promise<number> {
  const [row] = await snapshot.rows<{ total: number }>(
    sql`SELECT ((SELECT count(*) FROM categories) + (SELECT count(*) FROM products))::integer AS total`,
  );
  return row?.total ?? 0;
}

type Row<Entry> = Omit<Entry, "type" | "createdAt"> & { readonly createdAt: Date };

async function* entries(snapshot: Snapshot): AsyncGenerator<CatalogueEntry[]> {
  const categories = snapshot.batches<Row<CategoryEntry>>(selectEntries(entryTables.category));
  for await (const rows of categories) yield rows.map((row) => entryOf("category", row));
  const products = snapshot.batches<Row<ProductEntry>>(selectEntries(entryTables.product));
  yield* productEntries(products);
}

const selectEntries = ({ table, joins, fields }: EntryTable): Sql =>
  raw(
    `SELECT ${fields.map(({ name, stored }) => `${stored} AS "${name}"`).join()}
     FROM ${table} ${joins} ORDER BY ${table}.id`,
  );

const entryOf = <Type extends CatalogueEntry["type"], Values extends { readonly createdAt: Date }>(
  type: Type,
  { createdAt, ...values }: Values,
) => ({ type, ...values, createdAt: createdAt.toISOString() });
