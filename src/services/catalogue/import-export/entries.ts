/** What a file has of a category or product; the slug identifies it. Times and prices are texts. */
export interface CatalogueEntry extends Readonly<Record<string, string | boolean>> {
  readonly type: "category" | "product";
  readonly slug: string;
}

export type EntryType = CatalogueEntry["type"];

const ofBoth = ["type", "slug", "name", "isActive", "createdAt"];

/** The fields of a kind, in the order of a file. Ids, versions and times of changes belong to one database. */
export const entryFields: Readonly<Record<EntryType, readonly string[]>> = {
  category: ofBoth,
  product: [...ofBoth, "category", "price", "description"],
};

/** The fields that an entry may leave out. */
export const optionalFields: readonly string[] = ["slug", "createdAt"];

export const decimalFields: readonly string[] = ["price"];

export const tables = { category: "categories", product: "products" } as const;

/** A SELECT of what is stored, with the names of a file, and the id. A file names a product's category by its slug. */
export const stored: Readonly<Record<EntryType, string>> = {
  category: `SELECT id, slug, name, is_active AS "isActive", created_at AS "createdAt" FROM categories`,
  product: `
    SELECT products.id, products.slug, products.name, products.is_active AS "isActive",
      products.created_at AS "createdAt", categories.slug AS category, price, description
    FROM products LEFT JOIN categories ON categories.id = category_id`,
};

/** The fields that an import compares and changes: all but the slug, which tells entries apart. */
export const changeable = (type: EntryType): readonly string[] =>
  entryFields[type].filter((name) => name !== "type" && name !== "slug");
